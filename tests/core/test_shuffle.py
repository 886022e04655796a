"""ChaCha20 against its standard, and shuffles without bias."""

import pytest

from parlour._core import chacha20_block, shuffle

KEY = bytes(range(32))


def test_rfc_8439_section_2_3_2() -> None:
    block = chacha20_block(KEY, 1, bytes.fromhex("000000090000004a00000000"))
    assert block.hex() == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


@pytest.mark.parametrize(
    ("key", "counter", "nonce", "start"),
    [
        (bytes(32), 0, bytes(12), "76b8e0ada0f13d90405d6ae55386bd28"),
        (bytes(32), 1, bytes(12), "9f07e7be5551387a98ba977c732d080d"),
        (bytes(31) + b"\x01", 1, bytes(12), "3aeb5224ecf849929b9d828db1ced4dd"),
        (b"\x00\xff" + bytes(30), 2, bytes(12), "72d54dfbf12ec44b362692df94137f32"),
        (bytes(32), 0, bytes(11) + b"\x02", "c2c64d378cd536374ae204b9ef933fcd"),
    ],
)
def test_rfc_8439_appendix_a_1(key: bytes, counter: int, nonce: bytes, start: str) -> None:
    assert chacha20_block(key, counter, nonce).hex().startswith(start)


def test_a_seed_repeats_and_another_does_not() -> None:
    assert shuffle(KEY) == shuffle(KEY)
    assert shuffle(KEY) != shuffle(bytes(32))
    assert shuffle() != shuffle()


@pytest.mark.parametrize("n", [0, 1, 2, 36, 52, 1000])
def test_a_shuffle_is_a_permutation(n: int) -> None:
    assert sorted(shuffle(n=n)) == list(range(n))


def test_every_card_is_equally_likely_in_every_place() -> None:
    """Chi-square over 52 × 52 counts from fixed seeds: within five standard deviations of its mean."""
    rounds = 20_000
    counts = [[0] * 52 for _ in range(52)]
    for seed in range(rounds):
        for place, card in enumerate(shuffle(seed.to_bytes(32, "little"))):
            counts[place][card] += 1
    expected = rounds / 52
    chi_square = sum((count - expected) ** 2 / expected for row in counts for count in row)
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def test_all_orders_of_four_are_equally_likely() -> None:
    rounds = 24_000
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(rounds):
        order = tuple(shuffle(seed.to_bytes(32, "big"), 4))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    chi_square = sum((count - rounds / 24) ** 2 / (rounds / 24) for count in counts.values())
    assert abs(chi_square - 23) < 5 * 46**0.5


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((b"short",), ValueError),
        ((bytes(33),), ValueError),
        (("text",), TypeError),
        ((5,), TypeError),
        ((None, -1), ValueError),
        ((None, 10**18), ValueError),
        ((None, 2**80), ValueError),
        ((None, 1.5), TypeError),
    ],
)
def test_faults_are_named(arguments: tuple, error: type[Exception]) -> None:
    with pytest.raises(error):
        shuffle(*arguments)


@pytest.mark.parametrize(("counter", "nonce"), [(-1, bytes(12)), (2**32, bytes(12)), (0, bytes(11))])
def test_faults_of_a_block_are_named(counter: int, nonce: bytes) -> None:
    with pytest.raises(ValueError, match=r"counter|nonce"):
        chacha20_block(KEY, counter, nonce)
