# SPDX-License-Identifier: MIT
# Loads a SpriteFrames resource in Godot 3, puts every frame together from its atlas texture, and compares it with the
# PNG frames of the same set. Prints "N frames agree", or what differs, and sets the exit code.
# usage: godot3-server --path FOLDER -s load_godot.gd TITLE      FOLDER: a set with --export godot3,png, imported
extends SceneTree

var problems = 0


func fail(text):
	print(text)
	problems += 1


# The whole canvas: the region of the atlas at the margin's position.
func canvas_of(texture):
	var picture = Image.new()
	var size = texture.get_size()
	picture.create(int(size.x), int(size.y), false, Image.FORMAT_RGBA8)
	var atlas = texture.atlas.get_data()
	atlas.convert(Image.FORMAT_RGBA8)
	picture.blit_rect(atlas, texture.region, texture.margin.position)
	return picture


# Number of pixels that differ. Colours of transparent pixels do not count.
func count_different(a, b):
	if a.get_size() != b.get_size():
		return -1
	var count = 0
	var x = a.get_data()
	var y = b.get_data()
	for i in range(0, x.size(), 4):
		if x[i + 3] != y[i + 3] or (x[i + 3] > 0 and (x[i] != y[i] or x[i + 1] != y[i + 1] or x[i + 2] != y[i + 2])):
			count += 1
	return count


func read_json(path):
	var file = File.new()
	file.open(path, File.READ)
	return JSON.parse(file.get_as_text()).result


func _init():
	var title = OS.get_cmdline_args()[-1]
	var frames = load("res://%s_godot3.tres" % title)
	var sheet = read_json("res://%s.json" % title)
	var compared = 0
	for tag in sheet.meta.frameTags:
		if not frames.has_animation(tag.name):
			fail("no animation " + tag.name)
			continue
		var seconds = 0.0
		# Godot 3 has one duration: longer drawings are repeated.
		var next = 0
		for k in range(tag.from, tag.to + 1):
			seconds += sheet.frames[k].duration / 1000.0
			var truth = Image.new()
			truth.load("res://frames/%s_%02d.png" % [tag.name, k - tag.from])
			truth.convert(Image.FORMAT_RGBA8)
			var drawn = canvas_of(frames.get_frame(tag.name, next))
			var different = count_different(drawn, truth)
			if different != 0:
				fail("%s, drawing %d: %d pixels differ" % [tag.name, k - tag.from, different])
			compared += 1
			var texture = frames.get_frame(tag.name, next)
			while next < frames.get_frame_count(tag.name) and frames.get_frame(tag.name, next) == texture:
				next += 1
		if next != frames.get_frame_count(tag.name):
			fail("%s: %d frames, %d used" % [tag.name, frames.get_frame_count(tag.name), next])
		var played = frames.get_frame_count(tag.name) / frames.get_animation_speed(tag.name)
		if abs(played - seconds) > 0.05 * seconds + 0.02:
			fail("%s lasts %.3f s, not %.3f" % [tag.name, played, seconds])
	print("%d frames agree" % compared if problems == 0 else "%d problems" % problems)
	OS.exit_code = 0 if problems == 0 and compared > 0 else 1
	quit()
