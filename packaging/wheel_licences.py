#!/usr/bin/env python3
"""Adds the licences of the libraries that auditwheel has put into wheels: of the Debian packages that these are from,
from /usr/share/doc. Usage: wheel_licences.py WHEEL..."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import zipfile


def packages_of(libraries):
    """The packages of libraries' files, as auditwheel names them: libz-0123abcd.so.1.2.3 is of libz.so.1.2.3."""
    names = {re.sub(r"-[0-9a-f]{8}(?=\.)", "", library, count=1) for library in libraries}
    # One search for all; in the list of a package /lib may stand for /usr/lib. Whole paths: cross compilers have files of
    # the same names elsewhere.
    folders = ["/usr/lib", *(["/lib"] if not os.path.islink("/lib") else [])]
    paths = [f"{path}/{name}" for folder in folders for path, _, files in os.walk(folder) for name in names.intersection(files)]
    paths += [path.removeprefix("/usr") for path in paths if path.startswith("/usr")]
    found = subprocess.run(["dpkg-query", "--search", *paths], capture_output=True, text=True, check=False).stdout
    packages = set()
    for line in found.splitlines():
        package, _, path = line.partition(": ")
        if package.startswith("diversion by"):
            continue
        packages.add(package.split(":")[0])
        names.discard(os.path.basename(path))
    if names:
        sys.exit(f"wheel_licences: no package of this machine has {', '.join(sorted(names))}, so the licence is not known.")
    return packages


def add_licences(wheel):
    with zipfile.ZipFile(wheel) as old:
        (record,) = (name for name in old.namelist() if re.fullmatch(r"[^/]+\.dist-info/RECORD", name))
        libraries = [match.group(1) for name in old.namelist() if (match := re.fullmatch(r"[^/]+\.libs/(.+)", name))]
        texts = {}
        for package in sorted(packages_of(libraries)):
            text = pathlib.Path("/usr/share/doc", package, "copyright")
            if not text.exists():
                sys.exit(f"wheel_licences: {text} is not there; install {package} with its documents.")
            texts[f"{record.rpartition('/')[0]}/licenses/{package}/copyright"] = text.read_bytes()
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
