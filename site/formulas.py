"""Converts formulas to MathML, which browsers render without scripts or downloads. Pages write formulas in GitHub's syntax: ```math for a separate
line and $`...`$ within a line."""
import re

from latex2mathml.converter import convert


def rendered(text):
    text = re.sub(r"(?ms)^```math\n(.*?)^```$", lambda found: block(found.group(1)), text)
    return re.sub(r"\$`([^`\n]+)`\$", lambda found: f"<span>{convert(found.group(1))}</span>", text)  # a line that begins with <math would be a block for Markdown


def block(latex):
    """MathML on one line, because a blank line ends a block in Markdown."""
    return '<div class="formula" markdown="0">' + " ".join(convert(" ".join(latex.split()), display="block").split()) + "</div>"
