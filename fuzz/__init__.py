"""Fuzzing: the Python face with atheris, the native core with sanitizers. `make fuzz`; in short in every test run."""
