"""How much chance a test run plays through: random hands, turns and situations in a browser take most of its time.

`PARLOUR_THOROUGH=5 make test` plays five times as many.
"""

from __future__ import annotations

import os

THOROUGH = int(os.environ.get("PARLOUR_THOROUGH", "1"))
