from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.storage.seal import KEY_VARIABLE, AesSeal, find_key


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


def test_a_new_key_is_written_when_it_is_kept_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    path = tmp_path / "parlour.key"
    seal = find_key(path)
    assert seal.is_new
    assert not path.exists(), "a key is not made where an older one may be missing"
    seal.keep()
    assert not seal.is_new
    assert path.stat().st_mode & 0o777 == 0o600
    again = find_key(path)
    assert (again.fingerprint, again.is_new) == (seal.fingerprint, False)
    monkeypatch.setenv(KEY_VARIABLE, "A" * 43 + "=")
    assert find_key(path).fingerprint == AesSeal(bytes(32)).fingerprint != seal.fingerprint
    for bad in ("short", "A" * 40):
        monkeypatch.setenv(KEY_VARIABLE, bad)
        with pytest.raises(ValueError, match=f"the key in {KEY_VARIABLE} is no key"):
            find_key(path)
