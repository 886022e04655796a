"""A page of Chess Mate at a site of its own, in a real browser, with the preflights that the browser itself sends."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from .house import House

PLAY = """async ([server, moves]) => {
  const ask = async (path, options = {}) => {
    const browser_id = localStorage.getItem("browser_id");
    const headers = browser_id ? { browser_id } : {};
    const answer = await fetch(server + path, { ...options, headers });
    return { status: answer.status, body: await answer.json() };
  };
  if (!localStorage.getItem("browser_id")) {
    const { body } = await ask("/new-game", { method: "POST" });
    localStorage.setItem("browser_id", body.game.browser_id);
  }
  const answers = [];
  for (const move of moves) answers.push(await ask(`/make-move/${move.slice(0, 2)}/${move.slice(2)}`));
  const loaded = await ask("/load-game");
  const squares = Object.keys(JSON.parse(loaded.body.board.board));
  return { answers, loaded, squares };
}"""


def test_a_page_of_another_site_plays_to_mate_over_a_reload(
    own_house: House, new_page: Callable[..., Page], other_site: str
) -> None:
    page = new_page()
    page.goto(other_site)
    server = f"{own_house.url}/chessmate"
    first = page.evaluate(PLAY, [server, ["f2f3", "e7e5"]])
    assert [answer["status"] for answer in first["answers"]] == [200, 200]
    assert first["squares"][0] == "a8"
    assert first["squares"][-1] == "h1"
    own_house.kill()
    own_house.start()
    page.reload()
    second = page.evaluate(PLAY, [server, ["g2g4", "e1e2", "d8h4"]])
    assert [answer["status"] for answer in second["answers"]] == [200, 400, 200]
    assert second["answers"][1]["body"] == {"error": "Invalid move!"}
    board = second["loaded"]["body"]["board"]
    assert (board["checkmate"], board["winner"]) == (True, "B")
    assert len(second["loaded"]["body"]["moves"]) == 4
