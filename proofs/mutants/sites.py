"""The places where a module can be changed, and the changes: a comparison, a constant, a statement left out.

Only bodies of functions are changed, and nothing in them that is merely said: log lines, messages of errors, f-strings,
annotations, assertions. The text of the change replaces the text of the node, so that a diff shows no more than that.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
CALCULATED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "//"),
}
ORDERLESS = {"isinstance", "issubclass", "getattr", "hasattr", "setattr", "min", "max", "cast", "gcd"}
"""Functions that are the same with their first two arguments swapped, or that a type checker alone would catch."""
SAID = {"logger", "log", "cast"}
UNSEEN = {"__repr__", "__str__", "__hash__"}


class Mutant(msgspec.Struct, frozen=True):
    """One change of one module."""

    key: str
    """The same for as long as this function has this text, whatever changes around it."""
    area: str
    file: str
    function: str
    line: int
    lines: tuple[int, int]
    """The first and the last line of the statement's own text, which are looked up in what the tests execute."""
    operator: str
    begin: int
    end: int
    new: str

    @property
    def module(self) -> str:
        return self.file.removeprefix("src/").removesuffix(".py").replace("/", ".")

    def source(self) -> str:
        text = Path(self.file).read_bytes()
        return (text[: self.begin] + self.new.encode() + text[self.end :]).decode()

    def diff(self) -> str:
        before, after = Path(self.file).read_text().splitlines(), self.source().splitlines()
        lines = list(difflib.unified_diff(before, after, self.file, self.file, n=1, lineterm=""))
        return "\n".join(lines[2:])


class _Sites:
    """All mutants of one file."""

    def __init__(self, area: str, file: Path) -> None:
        self.area, self.file = area, str(file)
        self.text = file.read_bytes()
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        self._times: Counter[str] = Counter()
        self._function = ""
        self._header = (0, 0)
        for node in ast.parse(self.text).body:
            self._look_into(node, "")

    def _look_into(self, node: ast.AST, path: str) -> None:
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                self._look_into(child, f"{path}{node.name}.")
        elif isinstance(node, Function) and node.name not in UNSEEN:
            self._function = path + node.name
            for child in node.body:
                self._statement(child, node)

    def _statement(self, node: ast.stmt, inside: Function) -> None:
        if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.ClassDef):
            return
        if isinstance(node, Function):
            for child in node.body:
                self._statement(child, node)
            return
        blocks = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.ExceptHandler | ast.match_case)]
        first = min([block.lineno for block in blocks] + [_first_line(child) for child in inner], default=None)
        last = (node.end_lineno or node.lineno) if first is None else max(node.lineno, first - 1)
        self._header = (node.lineno, last)
        self._removed(node)
        if isinstance(node, ast.Return):
            self._returned(node, inside)
        if isinstance(node, ast.If):
            self._negated(node.test)
        if isinstance(node, ast.AugAssign) and (swap := CALCULATED.get(type(node.op))):
            self._between("arithmetic", node.target, node.value, f"{swap[0]}=", f"{swap[1]}=")
        if not isinstance(node, ast.Raise):
            for name, field in ast.iter_fields(node):
                if name != "annotation":
                    self._fields(field)
        for block in blocks:
            self._statement(block, inside)
        for part in inner:
            if isinstance(part, ast.match_case) and part.guard:
                self._header = (part.guard.lineno, part.guard.end_lineno or part.guard.lineno)
                self._expression(part.guard)
            for block in part.body:
                self._statement(block, inside)

    def _removed(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
                removed = not _only_says(call)
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign() | ast.Delete() | ast.Raise():
                removed = True
            case ast.Continue() | ast.Break():
                removed = True
            case _:
                removed = False
        if removed:
            self._add("removed statement", node, "pass")

    def _returned(self, node: ast.Return, inside: Function) -> None:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return
        names = ("True", "False") if inside.returns and ast.unparse(inside.returns) == "bool" else ("None",)
        for name in names:
            if ast.unparse(value) != name:
                self._add("return value", value, name)

    def _negated(self, test: ast.expr) -> None:
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)) and not isinstance(test, ast.Compare):
            self._add("negated condition", test, f"not ({self._text(test)})")

    def _fields(self, field: object) -> None:
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.expr):
                self._expression(child)
            elif isinstance(child, ast.withitem):
                self._expression(child.context_expr)

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.JoinedStr():
                return
            case ast.Call() if _only_says(node):
                return
            case ast.Compare():
                sides = [node.left, *node.comparators]
                for left, right, op in zip(sides, sides[1:], node.ops, strict=False):
                    self._between("comparison", left, right, *COMPARED[type(op)])
            case ast.BoolOp():
                word = " or " if isinstance(node.op, ast.And) else " and "
                self._add("and/or", node, f"({word.join(self._old(side) for side in node.values)})")
            case ast.UnaryOp(op=ast.Not()):
                self._add("dropped not", node, self._old(node.operand))
            case ast.UnaryOp(op=ast.USub()) if not isinstance(node.operand, ast.Constant):
                self._add("arithmetic", node, f"({self._old(node.operand)})")
            case ast.BinOp() if type(node.op) in CALCULATED and not (_joined(node.left) or _joined(node.right)):
                self._between("arithmetic", node.left, node.right, *CALCULATED[type(node.op)])
            case ast.Constant(value=bool()):
                self._add("constant", node, str(not node.value))
            case ast.Constant(value=int(number)):
                self._add("constant", node, str(number + 1))
                self._add("constant", node, str(number - 1))
            case ast.Call(args=[first, second, *_]) if not (
                isinstance(first, ast.Starred) or isinstance(second, ast.Starred) or _name(node.func) in ORDERLESS
            ):
                between = self.text[self._at(first)[1] : self._at(second)[0]].decode()
                swapped = self._old(second) + between + self._old(first)
                if self._old(first) != self._old(second):
                    self._replace("swapped arguments", self._at(first)[0], self._at(second)[1], swapped, node.lineno)
            case ast.IfExp():
                self._negated(node.test)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._expression(child)
            elif isinstance(child, ast.keyword) and child.arg != "strict":  # of zip: an assertion
                self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                self._expression(child.iter)
                for test in child.ifs:
                    self._negated(test)
                    self._expression(test)

    def _between(self, operator: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        begin, end = self._at(left)[1], self._at(right)[0]
        between = self.text[begin:end].decode()
        place = begin + len(between[: between.index(old)].encode())
        self._replace(operator, place, place + len(old), new, left.end_lineno or left.lineno)

    def _add(self, operator: str, node: ast.expr | ast.stmt, new: str) -> None:
        self._replace(operator, *self._at(node), new, node.lineno)

    def _replace(self, operator: str, begin: int, end: int, new: str, line: int) -> None:
        old = self.text[begin:end].decode()
        what = "|".join([self.file, self._function, operator, old, new])
        self._times[what] += 1
        key = hashlib.sha256(f"{what}|{self._times[what]}".encode()).hexdigest()[:12]
        made = Mutant(key, self.area, self.file, self._function, line, self._header, operator, begin, end, new)
        self.found.append(made)

    def _at(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _text(self, node: ast.expr) -> str:
        begin, end = self._at(node)
        return self.text[begin:end].decode()

    def _old(self, node: ast.expr) -> str:
        """Its text, such that it can stand within another expression."""
        text = self._text(node)
        return f"({text})" if isinstance(node, ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.Lambda) else text


def _first_line(node: ast.ExceptHandler | ast.match_case) -> int:
    return node.lineno if isinstance(node, ast.ExceptHandler) else node.pattern.lineno


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _only_says(call: ast.Call) -> bool:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return _name(owner) in SAID


def _joined(node: ast.expr) -> bool:
    """Whether + puts texts or lists together here."""
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def mutants_of(area: str, file: Path) -> list[Mutant]:
    return _Sites(area, file).found


def draw(areas: dict[str, list[Path]], number: int, seed: int) -> Iterator[Mutant]:
    """So many mutants, an equal share from each area: those whose keys come first under this seed."""
    for place, (area, files) in enumerate(areas.items()):
        share = number // len(areas) + (place < number % len(areas))
        of_area = [mutant for file in files for mutant in mutants_of(area, file)]
        yield from sorted(of_area, key=lambda mutant: hashlib.sha256(f"{seed}|{mutant.key}".encode()).digest())[:share]
