"""What sections of pages share that are drawn from measurements: rows of tables, numbers as text, tables of Markdown."""
import package  # noqa: F401
from halfulp import tables


def rows_of(root, name):
    """Of docs/measured/NAME.csv."""
    return tables.read(root / f"docs/measured/{name}.csv")


def number(row, name, digits):
    return f"{float(row[name]):.{digits}f}"


def short(value, digits=2):
    """2.3e-9, 0.29, 0: as few characters as `digits` significant digits need."""
    if value == 0:
        return "0"
    if not 0.01 <= abs(value) < 10000:  # thousands without an exponent up to here
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    text = f"{value:#.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text.rstrip(".")


def signed(value, whole=False):
    """+2.3, −0.4, +12: with one digit behind the point below ten, unless whole numbers are enough."""
    text = f"{value:+.0f}" if whole or abs(round(value, 1)) >= 10 else f"{value:+.1f}"
    return ("0" if float(text) == 0 else text).replace("-", "−")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
