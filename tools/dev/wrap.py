#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Wraps prose at 120 columns: paragraphs and list items of Markdown, blocks of // and # comments.

Only paragraphs with a line that is too long change. Tables, code blocks, headings, indented samples, code and comments
behind code stay as they are.

usage: wrap.py FILE…      writes the files in place and names those that changed
"""
import re
import sys

COLUMNS = 120
# A line that starts with such a word would begin something new in Markdown.
MARKDOWN_START = re.compile(r"([-+*]|#+|\d+[.)])$|>|\||```|~~~|<[a-z!/]")
# Not broken: words, and code of at most 60 characters between backticks.
WORD = re.compile(r"(?:`[^`\n]{1,60}`|\S)+")
ITEM = re.compile(r"(\s*)([-+*]|\d+[.)])(\s+)")
COMMENTS = {".h": "//", ".cpp": "//", ".inc": "//", ".inl": "//", ".glsl": "//", ".py": "#", ".sh": "#", ".cmake": "#", ".txt": "#"}


def fill(words, first, rest, may_start):
    """Lines of at most COLUMNS, as full as possible. None begins with a word that may not start a line."""
    lines, line = [], first
    is_empty = True
    for index, word in enumerate(words):
        # A word that must not begin a line stays with its predecessor.
        glued = index + 1 < len(words) and not may_start(words[index + 1])
        need = len(word) + (1 + len(words[index + 1]) if glued else 0)
        if not is_empty and len(line) + 1 + need > COLUMNS and may_start(word):
            lines.append(line)
            line, is_empty = rest, True
        line += word if is_empty else " " + word
        is_empty = False
    return lines + [line]


def too_long(lines):
    return any(len(line) > COLUMNS for line in lines)


def wrap_paragraph(lines, may_start):
    if not too_long(lines):
        return lines
    item = ITEM.match(lines[0])
    first = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    rest = " " * len(first) if item else first
    if item and len(lines) > 1:
        rest = re.match(r"\s*", lines[1]).group(0)
    text = " ".join([lines[0][len(first):]] + [line.strip() for line in lines[1:]])
    return fill(WORD.findall(text), first, rest, may_start)


def wrap_markdown(lines):
    def may_start(word):
        return not MARKDOWN_START.match(word)

    out, paragraph, fence = [], [], False

    def flush():
        out.extend(wrap_paragraph(paragraph, may_start))
        paragraph.clear()

    for line in lines:
        text = line.strip()
        if text.startswith(("```", "~~~")):
            flush()
            fence = not fence
            out.append(line)
        elif fence or not text or text.startswith(("|", "#", ">", "<", "[!")) or re.match(r"\[[^\]]+\]:", text) or \
                (not paragraph and line.startswith("    ")):
            flush()
            out.append(line)
        else:
            if ITEM.match(line):
                flush()
            paragraph.append(line)
            if line.endswith(("  ", "\\")):
                flush()
    flush()
    return out


def wrap_comments(lines, mark):
    """Blocks of whole-line comments. A line with several spaces after its mark, or with a list sign, is separate."""
    plain = re.compile(rf"(\s*){re.escape(mark)} (?=[^\s])")
    out, block, indent = [], [], None

    def flush():
        if too_long(block):
            head = indent + mark + " "
            words = WORD.findall(" ".join(line[len(head):] for line in block))
            out.extend(fill(words, head, head, lambda word: not MARKDOWN_START.match(word)))
        else:
            out.extend(block)
        block.clear()

    for line in lines:
        found = plain.match(line)
        text = line[found.end():] if found else ""
        begins_new = bool(re.match(r"([-*|+]\s|\d+[.)]\s|[A-Z]?[\w\[\], ]+:  |SPDX|clang-format|NOLINT)", text)) or "  " in text
        if not found or found.group(1) != indent or begins_new:
            flush()
        if not found:
            out.append(line)
            indent = None
        elif begins_new and not re.match(r"[-*]\s", text):
            out.append(line)  # A row of a table: by hand.
            indent = None
        else:
            indent = found.group(1)
            block.append(line)
    flush()
    return out


def wrap(name, text):
    lines = text.split("\n")
    extension = name[name.rfind("."):]
    if extension == ".md":
        return "\n".join(wrap_markdown(lines))
    if extension in COMMENTS:
        return "\n".join(wrap_comments(lines, COMMENTS[extension]))
    return text


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = wrap(path, before)
        if after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
            print(path)
