from __future__ import annotations

import asyncio

import pytest


@pytest.fixture
def append():
    """Append the rows of one decision; a future that is done when they are durable."""

    def append(store, *rows):
        answer = asyncio.get_running_loop().create_future()
        store.append(rows, lambda error: answer.set_exception(error) if error else answer.set_result(None))
        return answer

    return append
