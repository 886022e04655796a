"""The processes that tests, proofs and benchmarks run: servers of Parlour, PostgreSQL and Redis.

Nothing here is part of the package that is installed.
"""
