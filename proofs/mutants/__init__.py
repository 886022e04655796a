"""Mutation testing: a change of the code that no test notices shows a test that is missing."""
