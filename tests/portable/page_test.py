# SPDX-License-Identifier: MIT
"""The run time in Chromium without a display: the walker's page, steered by key events, and portable.cpp.

usage: page_test.py FOLDER: that of tools/dev/build_web.sh. Exit status 77: no page was built, or there is no Chromium.
"""
import functools
import html
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading

import run

work = os.path.realpath(sys.argv[1])
folder = os.path.join(work, "page")
if not os.path.exists(os.path.join(folder, "zoe.wasm")):
    run.skip("there is no page: emscripten is not installed (apt install emscripten node-acorn)")
if shutil.which("chromium") is None:
    run.skip("chromium is not installed (apt install chromium)")
size = os.path.getsize(os.path.join(folder, "zoe.wasm"))
assert size <= 1.5e6, size

# Holds the key for "up" until 100 ticks have passed, then states where the hips are. Chromium draws no frames in
# virtual time: timers take their place.
with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
    page = file.read()
timers = "<script>requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 16);</script>"
script = """<script>
const watch = setInterval(() => {
  const zoe = window.zoetrope, text = document.getElementById("text");
  if (!zoe) return text.textContent.includes("rror") ? clearInterval(watch) : undefined;
  if (zoe.ticks() > 20 && zoe.keys.size === 0) dispatchEvent(new KeyboardEvent("keydown", {code: "ArrowUp"}));
  if (zoe.ticks() < 100) return;
  clearInterval(watch);
  text.textContent = "result " + zoe.walker.positions()[0].join(" ") + " joints " + zoe.walker.joints;
}, 5);
</script>"""
with open(os.path.join(folder, "test.html"), "w", encoding="utf-8") as file:
    timed = page.replace('<script src="zoe.js">', timers + '<script src="zoe.js">')
    file.write(timed.replace("</html>", script + "</html>"))

# The program, with its files.
here = os.path.dirname(os.path.abspath(__file__))
shutil.copy(os.path.join(here, "portable_web.js"), folder)
with open(os.path.join(folder, "portable.html"), "w", encoding="utf-8") as file:
    file.write("""<!doctype html><meta charset="utf-8"><pre id="text"></pre>
<script src="../wasm/tests/test_portable.js"></script><script src="portable_web.js"></script><script>
(async () => {
  const get = async (name) => new Uint8Array(await (await fetch("../wasm/files/" + name)).arrayBuffer());
  const names = new TextDecoder().decode(await get("names.txt")).split("\\n");
  document.getElementById("text").textContent = await runPortable(createPortable, names, get);
})().catch((error) => { document.getElementById("text").textContent = "FAILED: " + error; });
</script>""")


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=work))
threading.Thread(target=server.serve_forever, daemon=True).start()


def text_of(name):
    """The page after its scripts have run."""
    profile = os.path.join(folder, "profile")
    shutil.rmtree(profile, ignore_errors=True)
    ran = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                          "--disable-background-networking", "--disable-component-update", "--disable-sync",
                          "--virtual-time-budget=60000", "--dump-dom", "--user-data-dir=" + profile,
                          "http://127.0.0.1:%d/page/%s" % (server.server_address[1], name)],
                         capture_output=True, text=True)
    return html.unescape(ran.stdout) + ran.stderr[-2000:]


text = text_of("test.html")
found = re.search(r"result (\S+) (\S+) (\S+) joints (\d+)", text)
assert found, text
x, y, z = (float(found.group(i)) for i in (1, 2, 3))
assert int(found.group(4)) > 10 and 0.5 < y < 1.5 and z > 1 and abs(x) < 1, found.group(0)
print("page: %.0f KB of wasm, the hips are at %.2f %.2f %.2f m" % (size / 1000, x, y, z))

text = re.sub(r"<[^>]*>", "\n", text_of("portable.html"))
run.check(text)
run.write(work, "chromium", text)
wrong = run.compare(run.read(work, "native"), run.hashes(text))
assert not wrong, "\n".join(wrong)
print("the deterministic hashes in Chromium are those of this build")
