# SPDX-License-Identifier: GPL-3.0-or-later
"""Zoetrope live: characters of `zoe stream` and `zoe play --port` in Blender."""
import bpy

from . import send
from .session import Session

bl_info = {
    "name": "Zoetrope live",
    "author": "The Zoetrope contributors",
    "version": (0, 1, 0),
    "blender": (3, 0, 0),
    "location": "View3D > Sidebar > Zoetrope",
    "description": "Follows and records characters that zoe streams",
    "category": "Animation",
}

live = {"session": None}


def tick():
    """The timer: 60 times a second, on Blender's main thread."""
    session = live["session"]
    if session is None:
        return None
    session.poll()
    if session.has_ended:
        disconnect()
        return None
    return 1 / 60


def disconnect():
    if live["session"] is not None:
        live["session"].close()
    live["session"] = None


class ZOETROPE_OT_connect(bpy.types.Operator):
    bl_idname = "zoetrope.connect"
    bl_label = "Connect"
    bl_description = "Connects to zoe (tcp://) or listens (udp://) and follows its characters"

    def execute(self, context):
        disconnect()
        try:
            live["session"] = Session(context.scene.zoetrope_address, context.scene.zoetrope_token)
        except (OSError, ValueError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        if not bpy.app.timers.is_registered(tick):
            bpy.app.timers.register(tick)
        return {"FINISHED"}


class ZOETROPE_OT_disconnect(bpy.types.Operator):
    bl_idname = "zoetrope.disconnect"
    bl_label = "Disconnect"

    def execute(self, _context):
        disconnect()
        return {"FINISHED"}


class ZOETROPE_OT_record(bpy.types.Operator):
    bl_idname = "zoetrope.record"
    bl_label = "Record"
    bl_description = "Starts to record; the second time keys what came as an action"

    def execute(self, context):
        session = live["session"]
        if session is None:
            self.report({"ERROR"}, "connect first")
            return {"CANCELLED"}
        if session.recording is None:
            session.start_recording()
        else:
            self.report({"INFO"}, "%d poses keyed" % session.finish_recording(context.scene))
        return {"FINISHED"}


class ZOETROPE_OT_send_rig(bpy.types.Operator):
    bl_idname = "zoetrope.send_rig"
    bl_label = "Send rig"
    bl_description = "Sends the active armature to `zoe stream --from udp://… -o rig.bvh`, to retarget motions to it"

    def execute(self, context):
        if context.object is None or context.object.type != "ARMATURE":
            self.report({"ERROR"}, "select an armature")
            return {"CANCELLED"}
        host, _, port = context.scene.zoetrope_rig_to.rpartition(":")
        try:
            send.send_rig(context.object, context.scene, host, int(port))
        except (OSError, ValueError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class ZOETROPE_PT_panel(bpy.types.Panel):
    bl_label = "Zoetrope"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Zoetrope"

    def draw(self, context):
        layout, session = self.layout, live["session"]
        layout.prop(context.scene, "zoetrope_address")
        layout.prop(context.scene, "zoetrope_token")
        layout.operator("zoetrope.disconnect" if session else "zoetrope.connect")
        if session:
            layout.operator("zoetrope.record", text="Stop and key" if session.recording is not None else "Record")
        layout.prop(context.scene, "zoetrope_rig_to")
        layout.operator("zoetrope.send_rig")


CLASSES = (ZOETROPE_OT_connect, ZOETROPE_OT_disconnect, ZOETROPE_OT_record, ZOETROPE_OT_send_rig, ZOETROPE_PT_panel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    scene = bpy.types.Scene
    scene.zoetrope_address = bpy.props.StringProperty(name="Address", default="tcp://127.0.0.1:7060")
    scene.zoetrope_token = bpy.props.StringProperty(name="Token", default="", subtype="PASSWORD")
    scene.zoetrope_rig_to = bpy.props.StringProperty(name="Rig to", default="127.0.0.1:7071")


def unregister():
    disconnect()
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    for name in ("zoetrope_address", "zoetrope_token", "zoetrope_rig_to"):
        delattr(bpy.types.Scene, name)
