"""Hooks of MkDocs: pages made of other files, and what the pages link to outside of docs/, brought into the site."""
import ast
import html
import posixpath
import re
from pathlib import Path

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

LOG = get_plugin_logger("halfulp")
SOURCE = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s:]+)\)")
# Files of the project that are pages of the site.
PAGES = {"README.md": "readme.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
MANUAL = "docs/halfulp.1"
NO_PAGES = ("docs/measured/", "docs/paper/")  # excluded in mkdocs.yml; what pages link to of them is brought in as it is


def rewritten(text, page, files, config):
    """The text of a page of the project (path from its root), its links made to fit the site."""

    def fit(match):
        label, target = match.groups()
        path, _, anchor = target.partition("#")
        if not path:
            return match.group(0)
        there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        here = posixpath.dirname(PAGES.get(page, page.removeprefix("docs/")))
        if (SOURCE / there).is_dir():
            return label[1:-1]  # a folder has no page
        if there == MANUAL:
            to = "commands.md"
        elif there in PAGES or there.startswith("docs/") and not there.startswith(NO_PAGES):
            to = PAGES.get(there, there.removeprefix("docs/"))
        elif (SOURCE / there).is_file():
            to = "source/" + there + (".txt" if Path(there).suffix in (".md", "", ".toml", ".hpp", ".cpp", ".py", ".cff", ".in") else "")
            if files.get_file_from_path(to) is None:
                files.append(File.generated(config, to, abs_src_path=str(SOURCE / there)))
        else:
            LOG.warning("%s links to %s, which is not there", page, target)
            return match.group(0)
        known = files.get_file_from_path(to)
        if known is None or known.inclusion.is_excluded():
            LOG.warning("%s links to %s, which the site leaves out", page, target)
        return f"{label}({posixpath.relpath(to, here or '.')}{'#' + anchor if anchor else ''})"

    # Code in blocks keeps its brackets.
    blocks = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)
    return "".join(block if block.startswith("```") else LINK.sub(fit, block) for block in blocks)


def commands():
    """The manual page as Markdown."""
    out = ["# Commands", "", "The manual page (`man halfulp`), which a test compares with `halfulp COMMAND --help`.", ""]
    synopsis = False
    heading = False

    def plain(text):
        return re.sub(r"\\f[A-Z]", "", text).replace("\\-", "-").replace("\\&", "").replace('"', "")

    def joined(macro, rest):
        """The words of a line; .BR and its like set them in turn in the two fonts, without spaces between them."""
        return "".join(plain(word) for word in re.findall(r'"[^"]*"|\S+', rest)) if re.fullmatch(r"\.[BIR]{2}", macro) else plain(rest)

    for line in (SOURCE / MANUAL).read_text(encoding="utf-8").splitlines():
        macro, _, rest = line.partition(" ") if line.startswith(".") else ("", "", line)
        rest = joined(macro, rest)
        if macro == ".TH":
            continue
        if macro in (".SH", ".SS"):
            if synopsis:
                out.append("```")
            synopsis = starts = rest in ("SYNOPSIS", "EXAMPLES")
            out += ["", ("## " if macro == ".SH" else "### ") + rest.capitalize(), ""] + (["```text"] if synopsis else [])
        elif synopsis:
            if macro == ".br":
                starts = True
            elif macro in (".nf", ".fi"):
                continue
            elif starts or not macro:  # without macros: examples, a line each
                out.append(rest)
                starts = False
            else:
                out[-1] += " " + rest
        elif macro == ".TP":
            heading = True
        elif macro in (".PP", ".br"):
            out.append("")
        elif heading:
            out += ["", f"**{html.escape(rest)}**<br>"]
            heading = False
        elif macro not in (".nf", ".fi"):
            out.append(re.sub(r"(?<![\w-])(--?[a-z][\w-]*)", r"`\1`", html.escape(rest, quote=False)))
    if synopsis:
        out.append("```")
    return "\n".join(out) + "\n"


def signature(node):
    text = ast.unparse(node.args)
    return re.sub(r"^(self|cls)(, )?", "", text)


def members(node):
    for one in node.body:
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)) and not one.name.startswith("_"):
            yield one


def described(node):
    """A docstring in numpy's layout as Markdown: sections, a list of parameters or results, examples as code."""
    blocks = re.split(r"(?m)^(\w+)\n-+\n", ast.get_docstring(node) or "")
    # A table in reStructuredText stays as it is typed.
    out = [re.sub(r"(?ms)^(=+ +=.*=)$", r"```text\n\1\n```", blocks[0].replace("``", "`")), ""]
    for section, text in zip(blocks[1::2], blocks[2::2]):
        out += [f"**{section}**", ""]
        if section == "Examples":
            out += ["```python", text.rstrip(), "```", ""]
            continue
        # What is not indented names a parameter or a type; what is indented describes it.
        for entry in re.split(r"(?m)^(?=\S)", text.replace("``", "`")):
            name, _, description = entry.strip().partition("\n")
            if name:
                name, _, kind = name.partition(" : ")
                about = " ".join(description.split())
                out += [f"- `{name}`" + (f" ({kind})" if kind else "") + (f": {about}" if about else "")]
        out += [""]
    return out


def python_api():
    """Every public class and function of the package with its docstring, read from the source."""
    exported = re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]", (SOURCE / "python/halfulp/__init__.py").read_text(), re.S).group(1))
    out = ["# Python: every class and function", "", "From the docstrings of the package; [From Python](python.md) explains it.", ""]
    for file in sorted((SOURCE / "python/halfulp").glob("*.py")):
        if file.stem.startswith("_"):
            continue
        module = ast.parse(file.read_text(encoding="utf-8"))
        prefix = "halfulp." + ("plot." if file.stem == "plot" else "")
        for one in members(module):
            if file.stem != "plot" and one.name not in exported:
                continue
            if isinstance(one, ast.FunctionDef):
                out += [f"## {prefix}{one.name}", "", f"`{one.name}({signature(one)})`", "", *described(one)]
                continue
            starts = [member for member in one.body if isinstance(member, ast.FunctionDef) and member.name == "__init__"]
            out += [f"## {prefix}{one.name}", ""]
            out += [f"`{one.name}({signature(starts[0])})`", ""] if starts else []
            out += described(one)
            for member in members(one):
                decorators = {ast.unparse(decorator) for decorator in member.decorator_list}
                shown = member.name if "property" in decorators else f"{member.name}({signature(member)})"
                if not any(decorator.endswith(".setter") for decorator in decorators):
                    out += [f"### {one.name}.{member.name}", "", f"`{shown}`", "", *described(member)]
    return "\n".join(out) + "\n"


def on_files(files, config):
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(SOURCE / name).read_text(encoding="utf-8")))
    files.append(File.generated(config, "commands.md", content=commands()))
    files.append(File.generated(config, "python-api.md", content=python_api()))
    for asset in sorted((SOURCE / "packaging/site").iterdir()):
        files.append(File.generated(config, f"assets/{asset.name}", abs_src_path=str(asset)))
    return files


def on_page_markdown(markdown, page, config, files):
    name = next((name for name, to in PAGES.items() if to == page.file.src_uri), "docs/" + page.file.src_uri)
    return rewritten(markdown, name, files, config)
