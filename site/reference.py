"""Generates the reference of two interfaces from their code: Python from signatures and docstrings, C++ from the public headers. docs/commands.md is that of the program."""
import importlib
import inspect
import re
import textwrap


def python_page():
    import taut

    lines = ["# Python reference", "", f"Of Taut {taut.__version__}, written from the code. [python.md](python.md) explains.", ""]
    for name in taut.__all__:
        value = getattr(taut, name)
        if inspect.isclass(value) and not issubclass(value, Warning):
            lines += class_lines(name, value)
        elif inspect.isfunction(value) or inspect.isbuiltin(value):
            lines += function_lines(f"taut.{name}", value, "##")
    for module in ("metrics", "plot", "distribution", "explanation"):
        found = importlib.import_module(f"taut.{module}")
        lines += [f"## taut.{module}", "", prose(inspect.getdoc(found) or ""), ""]
        for name in getattr(found, "__all__", [each for each in vars(found) if each[0].isupper()]):
            value = getattr(found, name)
            lines += class_lines(name, value, "###") if inspect.isclass(value) else function_lines(name, value, "###")
    lines += ["## Warnings", ""]
    lines += [f"- `taut.{name}`: {' '.join((inspect.getdoc(getattr(taut, name)) or '').split())}" for name in taut.__all__ if name.endswith("Warning")]
    return "\n".join(lines) + "\n"


def class_lines(name, kind, heading="##"):
    lines = [f"{heading} {name}", "", *signature_lines(name, kind), prose(inspect.getdoc(kind) or ""), ""]
    members = [(each, value) for each, value in inspect.getmembers(kind) if not each.startswith("_") and ours(value)]
    for each, value in members:
        lines += function_lines(f"{name}.{each}", value, heading + "#")
    return lines


def ours(value):
    return inspect.isfunction(value) and value.__module__.startswith("taut.") and bool(value.__doc__)


def function_lines(name, function, heading):
    return [f"{heading} {name}", "", *signature_lines(name.rpartition(".")[2], function), prose(inspect.getdoc(function) or ""), ""]


def signature_lines(name, value):
    try:
        signature = str(inspect.signature(value)).replace("(self, ", "(").replace("(self)", "()")
    except (TypeError, ValueError):
        return []
    return ["```python", *textwrap.wrap(name + signature, 120, subsequent_indent="    "), "```", ""]


def prose(docstring):
    """A docstring as Markdown. Sections of numpydoc become lists, examples become code, paragraphs stay."""
    out, lines, at = [], docstring.splitlines(), 0
    while at < len(lines):
        if at + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[at + 1].strip()):
            end = next((i for i in range(at + 2, len(lines) - 1) if re.fullmatch(r"-{3,}", lines[i + 1].strip())), len(lines))
            name, body = lines[at].strip(), lines[at + 2:end]
            out += ["", f"**{name}**", "", *(["```python", *body, "```"] if name == "Examples" else listed(body))]
            at = end
        else:
            out.append(escaped(lines[at]) if not lines[at].startswith("    ") else lines[at])
            at += 1
    return "\n".join(out)


def listed(body):
    """The entries of a section, `name : kind` with a text below: a kind is in italics, and the text is a paragraph of its own. An entry
    without a text below has its text in place of the kind."""
    out, head = [], ""
    for line in body:
        if line.startswith(" ") or not line.strip():
            if out and line.strip() and out[-1].startswith("- "):
                out[-1:] = [re.sub(r"^(- `[^`]*`) : (.*)$", r"\1 : *\2*", out[-1]), ""]
            out.append(f"    {escaped(line.strip())}" if line.strip() else "")
        elif line.rstrip().endswith(",") and " : " not in line:  # a list of names that goes on in the next line
            head += line.strip() + " "
        else:
            names, colon, kind = (head + line).partition(" : ")
            if out and out[-1]:
                out.append("")  # otherwise the entry would continue the text above it
            out.append(f"- `{names}` : {escaped(kind)}" if colon else f"- {escaped(names)}")
            head = ""
    return out


def escaped(line):
    """Escapes < and * outside of code."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;").replace("*", "\\*") for part in parts)


def cpp_page(root):
    lines = ["# C++ reference", "", "The public headers, which `#include <taut/taut.hpp>` brings: what `make install` installs. Written from the code; "
             "private parts are left out.", ""]
    for header in public_headers(root):
        text = (root / header).read_text(encoding="utf-8")
        about, body = header_parts(text)
        if body.strip():
            lines += [f"## {header}", "", escaped(about), "", "```cpp", body.strip("\n"), "```", ""]
    return "\n".join(lines) + "\n"


def public_headers(root):
    """The public headers, as in cmake/install.cmake: taut.hpp and the headers that it includes, directly or not."""
    seen, to_visit = [], ["taut/taut.hpp"]
    while to_visit:
        header = to_visit.pop(0)
        if header not in seen:
            seen.append(header)
            to_visit += re.findall(r"(?m)^#include <(taut/[^>]+)>", (root / header).read_text(encoding="utf-8"))
    return sorted(seen)


def header_parts(text):
    """The first comment and the declarations of a header, without includes and private members."""
    top = re.match(r"((?://[^\n]*\n)*)", text).group(1)
    about = " ".join(line.lstrip("/ ") for line in top.splitlines())
    kept, hidden = [], False
    for line in text[len(top):].splitlines():
        if re.match(r"\s*(private|protected):", line):
            hidden = True
        elif re.match(r"\s*public:|^};", line):
            hidden = False
        if hidden or re.match(r"#(pragma|include|define|endif|ifndef)|}?\s*// namespace|namespace taut \{", line) or line.startswith("}  // namespace"):
            continue
        kept.append(line)
    return about, re.sub(r"\n{3,}", "\n\n", "\n".join(kept))
