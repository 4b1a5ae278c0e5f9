# SPDX-License-Identifier: MIT
"""The walker in a web page: the page of tools/web in Chromium without a display, steered by key events.

usage: page_test.py FOLDER: that of tools/dev/build_web.sh. Not in ctest: the build takes four minutes of CPU time.
"""
import functools
import http.server
import os
import re
import subprocess
import sys
import threading

folder = os.path.join(sys.argv[1], "page")
size = os.path.getsize(os.path.join(folder, "zoe.wasm"))
assert size <= 1.5e6, size

# Holds the key for "up" until 100 ticks have passed, then states where the hips are.
with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
    page = file.read()
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
    # Chromium draws no frames in virtual time: timers take their place.
    timers = "<script>requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 16);</script>"
    file.write(page.replace('<script src="zoe.js">', timers + '<script src="zoe.js">').replace("</html>", script + "</html>"))


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
threading.Thread(target=server.serve_forever, daemon=True).start()
ran = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom",
                      "--user-data-dir=" + os.path.join(folder, "profile"),
                      "http://127.0.0.1:%d/test.html" % server.server_address[1]], capture_output=True, text=True)
found = re.search(r"result (\S+) (\S+) (\S+) joints (\d+)", ran.stdout)
assert found, ran.stdout[-2000:] + ran.stderr[-2000:]
x, y, z = (float(found.group(i)) for i in (1, 2, 3))
assert int(found.group(4)) > 10 and 0.5 < y < 1.5 and z > 1 and abs(x) < 1, found.group(0)
print("page ok: %.0f KB of wasm, the hips are at %.2f %.2f %.2f m" % (size / 1000, x, y, z))
