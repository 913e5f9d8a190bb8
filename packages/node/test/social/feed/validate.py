"""Reads feeds given as a JSON list of texts: each must be well-formed XML; answers what feedparser reads of them."""
import json
import sys
import xml.parsers.expat

import feedparser


def read(number, text):
    data = text.encode("utf-8")
    try:
        xml.parsers.expat.ParserCreate().Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        raise SystemExit(f"feed {number} is not well-formed: {error}\n{text[:2000]}")
    feed = feedparser.parse(data)
    return {
        "bozo": repr(feed.bozo_exception) if feed.bozo else None,
        "version": feed.version,
        "title": feed.feed.get("title", ""),
        "entries": [
            {
                "id": entry.get("id", ""),
                "title": entry.get("title", ""),
                "link": entry.get("link", ""),
                "author": entry.get("author", ""),
                "content": entry["content"][0]["value"] if entry.get("content") else "",
                "enclosures": [
                    {"href": e.get("href", ""), "type": e.get("type", ""), "length": e.get("length", "")}
                    for e in entry.get("enclosures", [])
                ],
                "tags": [tag.get("term", "") for tag in entry.get("tags", [])],
            }
            for entry in feed.entries
        ],
    }


json.dump([read(n, text) for n, text in enumerate(json.load(sys.stdin))], sys.stdout)
