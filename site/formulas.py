"""Formulas of the pages as MathML, which browsers render themselves: nothing to fetch, nothing to run. On the pages they are written as GitHub
knows them, ```math for a line of its own and $`...`$ within one."""
import re

from latex2mathml.converter import convert


def rendered(text):
    text = re.sub(r"(?ms)^```math\n(.*?)^```$", lambda found: block(found.group(1)), text)
    return re.sub(r"\$`([^`\n]+)`\$", lambda found: f"<span>{convert(found.group(1))}</span>", text)  # Markdown takes a line that begins with <math for a block


def block(latex):
    """One line of MathML: Markdown takes a blank line for the end of a block."""
    return '<div class="formula" markdown="0">' + " ".join(convert(" ".join(latex.split()), display="block").split()) + "</div>"
