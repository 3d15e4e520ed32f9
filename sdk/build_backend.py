"""Builds the package with nothing but Python (PEP 517 and 660).

`pip install ./sdk` needs no network and no other tool: setuptools comes with
few Pythons since 3.12. What stands in `[project]` is read as it is there: its
values are texts and lists of texts, which Python spells as TOML does.
"""

import ast
import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "bench_sdk"


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel; equal sources give equal bytes.

    With `program` in the settings (`pip wheel --config-settings program=dist/bench`) it
    carries that `bench`, and is for the `platform` they name.
    """
    settings = config_settings or {}
    files = _sources()
    if "program" in settings:
        name = os.path.basename(settings["program"])
        files[f"{PACKAGE}/bin/{name}"] = _read(settings["program"])
    return _write_wheel(wheel_directory, files, settings.get("platform", "any"))


def get_requires_for_build_editable(config_settings=None):
    return []


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points back to this folder."""
    return _write_wheel(wheel_directory, {f"{PACKAGE}.pth": HERE.encode() + b"\n"}, "any")


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    """Writes the source archive, from which the same wheel can be built."""
    root = f"{PACKAGE}-{_version()}"
    files = {**_sources(), "PKG-INFO": _metadata(), **_license()}
    for name in ("README.md", "build_backend.py", "pyproject.toml"):
        files[name] = _read(os.path.join(HERE, name))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    name = f"{root}.tar.gz"
    with open(os.path.join(sdist_directory, name), "wb") as file:
        file.write(gzip.compress(packed.getvalue(), mtime=0))
    return name


def _write_wheel(folder, files, platform):
    stem = f"{PACKAGE}-{_version()}"
    info = f"{stem}.dist-info"
    tag = f"py3-none-{platform}"
    files = {**files, f"{info}/METADATA": _metadata(), f"{info}/entry_points.txt": _entry_points()}
    files[f"{info}/WHEEL"] = _WHEEL.format("true" if platform == "any" else "false", tag).encode()
    files.update({f"{info}/{name}": data for name, data in _license().items()})
    record = "".join(f"{name},{_digest(files[name])}\n" for name in sorted(files))
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{stem}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        # RECORD comes last (the wheel format's recommendation).
        for each in sorted(files, key=lambda path: (path.endswith("/RECORD"), path)):
            entry = zipfile.ZipInfo(each, (1980, 1, 1, 0, 0, 0))
            program = each.startswith(f"{PACKAGE}/bin/")
            # A packed program is compressed already.
            entry.compress_type = zipfile.ZIP_STORED if program else zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            archive.writestr(entry, files[each])
    return name


_WHEEL = "Wheel-Version: 1.0\nGenerator: bench-sdk\nRoot-Is-Purelib: {}\nTag: {}\n"


def _sources():
    """The package's files by their path with slashes."""
    files = {}
    for folder, _, names in os.walk(os.path.join(HERE, PACKAGE)):
        for name in names:
            if name.endswith((".py", ".typed")):
                path = os.path.join(folder, name)
                files[os.path.relpath(path, HERE).replace(os.sep, "/")] = _read(path)
    return files


def _metadata():
    """Core metadata 2.1."""
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}"]
    lines += [f"Summary: {project['description']}", f"License: {project['license']}"]
    lines += [f"Keywords: {','.join(project['keywords'])}"]
    lines += [f"Classifier: {each}" for each in project["classifiers"]]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += ["Description-Content-Type: text/markdown", "", ""]
    return "\n".join(lines).encode() + _read(os.path.join(HERE, project["readme"]))


def _entry_points():
    """What pytest finds the plugin by."""
    pattern = r"(?ms)^\[project\.entry-points\.(\w+)\]\n(.*?)(?=^\[|\Z)"
    group, lines = re.search(pattern, _pyproject()).groups()
    return f"[{group}]\n{lines.strip()}\n".replace('"', "").encode()


def _project():
    table = re.split(r"(?m)^\[", _pyproject().split("[project]\n", 1)[1], maxsplit=1)[0]
    pairs = re.findall(r"(?ms)^([\w-]+) = (.*?)(?=^[\w-]+ = |\Z)", table)
    return {key: ast.literal_eval(value.strip()) for key, value in pairs}


def _pyproject():
    return _read(os.path.join(HERE, "pyproject.toml")).decode()


def _version():
    return _project()["version"]


def _license():
    """Of the repository; an unpacked source archive has it beside this file."""
    for folder in (HERE, os.path.dirname(HERE)):
        path = os.path.join(folder, "LICENSE")
        if os.path.exists(path):
            return {"LICENSE": _read(path)}
    return {}


def _digest(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest},{len(data)}"


def _read(path):
    with open(path, "rb") as file:
        return file.read()
