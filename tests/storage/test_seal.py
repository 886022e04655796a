from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.storage.seal import KEY_VARIABLE, MARK, AesSeal, find_key, rotate_key


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


def test_an_older_key_opens_what_it_has_sealed_and_the_new_one_seals():
    old, new = AesSeal(b"o" * 32), AesSeal(b"n" * 32, older=[b"o" * 32])
    before, after = old.seal(b"deck", "t/1"), new.seal(b"deck", "t/1")
    assert (new.open(before, "t/1"), new.open(after, "t/1")) == (b"deck", b"deck")
    assert AesSeal(b"x" * 32, older=[b"n" * 32, b"o" * 32]).open(after, "t/1") == b"deck"
    assert AesSeal(b"n" * 32).open(after, "t/1") == b"deck", "also when the old key was thrown away"
    for seal, sealed in ((old, after), (AesSeal(b"n" * 32), before)):
        with pytest.raises(ValueError, match="sealed under another key"):
            seal.open(sealed, "t/1")
    with pytest.raises(ValueError, match="sealed under another key"):
        new.open(after, "t/2")


def test_what_looks_as_if_it_named_its_key_opens_all_the_same(monkeypatch):
    """One nonce in 2^48 begins as the mark and the id do."""
    seal = AesSeal(b"o" * 32)
    head = MARK + seal.fingerprint[:4]
    monkeypatch.setattr(seal, "_nonces", iter([head + bytes(6)]))
    sealed = seal.seal(b"deck", "t/1")
    assert sealed.startswith(head)
    assert seal.open(sealed, "t/1") == b"deck"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    find_key(tmp_path / "parlour.key").keep()
    return tmp_path


def test_a_running_server_takes_a_new_key_up(folder):
    path = folder / "parlour.key"
    running = find_key(path)
    before = running.seal(b"deck", "t/1")
    assert not running.refresh()
    assert rotate_key(path) == 2
    assert path.stat().st_mode & 0o777 == 0o600
    assert running.refresh()
    assert not running.refresh()
    assert running.open(before, "t/1") == b"deck"
    assert find_key(path).open(running.seal(b"hand", "t/2"), "t/2") == b"hand"
    assert rotate_key(path) == 3
    assert find_key(path).open(before, "t/1") == b"deck"


@pytest.mark.parametrize("text", ["", "torn", "A" * 43 + "="])
def test_a_key_file_that_is_spoiled_changes_nothing_for_a_running_server(folder, text):
    """Nor does one of another key, without that which has sealed everything."""
    path = folder / "parlour.key"
    running = find_key(path)
    before = running.fingerprint
    path.write_text(text)
    assert not running.refresh()
    path.unlink()
    assert not running.refresh()
    assert running.fingerprint == before


KILLED = """
import os, signal, sys
from pathlib import Path
from parlour.storage import seal
def kill(*_): os.kill(os.getpid(), signal.SIGKILL)
step, path = sys.argv[1], Path(sys.argv[2])
if step == "before it is written": seal._text = kill
if step == "written half": seal._text = lambda keys: (keys, b"half")[1]; os.fsync = kill
if step == "before it is in place": Path.replace = kill
if step == "in place": seal._sync_folder = kill
seal.rotate_key(path)
"""


@pytest.mark.parametrize("step", ["before it is written", "written half", "before it is in place", "in place"])
def test_whoever_is_killed_while_the_key_changes_leaves_one_that_opens_everything(folder, step):
    path = folder / "parlour.key"
    before = find_key(path)
    sealed = before.seal(b"deck", "t/1")
    killed = subprocess.run([sys.executable, "-c", KILLED, step, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    after = find_key(path)
    assert after.open(sealed, "t/1") == b"deck"
    assert len(after.fingerprints) == (2 if step == "in place" else 1)
    assert rotate_key(path) == len(after.fingerprints) + 1, "and the next one gets through"
    assert find_key(path).open(sealed, "t/1") == b"deck"


def test_two_who_change_the_key_at_once_do_not_lose_one(folder, monkeypatch):
    path = folder / "parlour.key"
    code = f"from pathlib import Path; from parlour.storage.seal import rotate_key; rotate_key(Path({str(path)!r}))"
    replace, refused = Path.replace, []

    def replaced(self, target):
        other = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        refused.append("InUse" in other.stderr)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replaced)
    assert rotate_key(path) == 2
    assert refused == [True]
    assert len(find_key(path).fingerprints) == 2


def test_a_key_in_the_environment_is_not_changed_in_a_file(folder, monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, "A" * 43 + "=")
    with pytest.raises(ValueError, match=KEY_VARIABLE):
        rotate_key(folder / "parlour.key")
    monkeypatch.setenv(KEY_VARIABLE, "B" * 43 + "= " + "A" * 43 + "=")
    assert len(find_key(folder / "parlour.key").fingerprints) == 2


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_no_key(length):
    with pytest.raises(ValueError, match=f"the key has {length} bytes and should have 32"):
        AesSeal(bytes(length))
