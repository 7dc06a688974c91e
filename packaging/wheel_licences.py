#!/usr/bin/env python3
"""Adds the licences of the libraries that auditwheel has put into wheels: of the Debian packages that its list of parts
names, from /usr/share/doc. Usage: wheel_licences.py WHEEL..."""
import base64
import hashlib
import json
import os
import pathlib
import re
import sys
import urllib.parse
import zipfile


def packages(parts):
    """The names of Debian's packages in a list of parts (CycloneDX), one for each library."""
    found = (re.match(r"pkg:deb/[^/]+/([^@?]+)", part.get("purl", "")) for part in json.loads(parts)["components"])
    return [urllib.parse.unquote(match.group(1)) for match in found if match]


def add_licences(wheel):
    with zipfile.ZipFile(wheel) as old:
        (record,) = (name for name in old.namelist() if re.fullmatch(r"[^/]+\.dist-info/RECORD", name))
        folder = record.rpartition("/")[0]
        parts = f"{folder}/sboms/auditwheel.cdx.json"
        listed = packages(old.read(parts)) if parts in old.namelist() else []
        libraries = [name for name in old.namelist() if re.match(r"[^/]+\.libs/.", name)]
        if len(listed) != len(libraries):
            sys.exit(f"wheel_licences: {wheel} has {len(libraries)} libraries, but auditwheel says of {len(listed)} which package they are from.")
        texts = {}
        for package in sorted(set(listed)):
            text = pathlib.Path("/usr/share/doc", package, "copyright")
            if not text.exists():
                sys.exit(f"wheel_licences: {text} is not there; install {package} with its documents.")
            texts[f"{folder}/licenses/{package}/copyright"] = text.read_bytes()
        rows = old.read(record).decode()
        for name, text in texts.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
            rows += f"{name},sha256={digest},{len(text)}\n"
        fresh = pathlib.Path(f"{wheel}.part")
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                new.writestr(entry, rows if entry.filename == record else old.read(entry))
            for name, text in texts.items():
                new.writestr(name, text)
    os.replace(fresh, wheel)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        add_licences(path)
