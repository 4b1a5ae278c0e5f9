# SPDX-License-Identifier: MIT
"""What pip calls to build zoetrope (PEP 517): CMake builds the module, and this file packs it into a wheel.

Environment: ZOE_PYTHON_BUILD=FOLDER  an existing build folder to use (default: build/python, made here)
             ZOE_JOBS                 build jobs (default: all cores)
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Only what the module links.
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DZOE_TESTS=OFF", "-DZOE_TOOLS=OFF", "-DZOE_TRAIN=OFF", "-DZOE_RENDER=OFF",
           "-DZOE_CAPI=OFF", "-DZOE_PYTHON=ON", "-DZOE_UNITY=ON", "-DZOE_PRECOMPILED_HEADERS=ON"]


def version():
    with open(os.path.join(ROOT, "include", "zoe", "core", "version.h"), encoding="utf-8") as file:
        return re.search(r'ZOE_VERSION_STRING "([0-9.]+)"', file.read()).group(1)


def build_module():
    """The folder of the finished package."""
    folder = os.environ.get("ZOE_PYTHON_BUILD")
    if not folder:
        folder = os.path.join(ROOT, "build", "python")
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *OPTIONS,
                        f"-DZOE_PYTHON_PROGRAM={sys.executable}"], check=True)
    jobs = os.environ.get("ZOE_JOBS") or str(os.cpu_count())
    subprocess.run(["cmake", "--build", folder, "--target", "zoe_python_package", "-j", jobs], check=True)
    return os.path.join(folder, "python", "zoetrope")


def metadata():
    return (f"Metadata-Version: 2.1\nName: zoetrope\nVersion: {version()}\n"
            "Summary: AI character animation: files, retargeting, features, datasets, networks, controllers\n"
            "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build_module()
    info = f"zoetrope-{version()}.dist-info"
    files = {f"{info}/METADATA": metadata().encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: zoe\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()}
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for name in ("__init__.py", "_zoe.pyi", "py.typed", "_zoe" + suffix):
        with open(os.path.join(package, name), "rb") as file:
            files[f"zoetrope/{name}"] = file.read()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    wheel = f"zoetrope-{version()}-{tag()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("zoetrope is built from a checkout: pip install .")
