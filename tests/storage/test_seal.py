from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.storage.seal import KEY_VARIABLE, AesSeal, read_key


@given(st.binary(max_size=200))
def test_what_is_sealed_opens_at_its_place_only(clear):
    seal = AesSeal(bytes(32))
    sealed = seal.seal(clear, "t/1")
    assert seal.open(sealed, "t/1") == clear
    assert seal.seal(clear, "t/1") != sealed
    for other, place in [(seal, "t/2"), (AesSeal(b"x" * 32), "t/1")]:
        with pytest.raises(ValueError, match="sealed under another key"):
            other.open(sealed, place)
    if len(clear) > 8:
        assert clear not in sealed


def test_the_key_is_made_once_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    path = tmp_path / "parlour.key"
    key = read_key(path)
    assert len(key) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path) == key
    monkeypatch.setenv(KEY_VARIABLE, "A" * 43 + "=")
    assert read_key(path) == bytes(32)
    monkeypatch.setenv(KEY_VARIABLE, "short")
    with pytest.raises(ValueError, match=r"base64|bytes"):
        AesSeal(read_key(path))
