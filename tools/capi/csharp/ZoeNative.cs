// SPDX-License-Identifier: MIT
// Part of Zoetrope. The functions of zoe.h as C# declares them, and their handles.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Zoe {

abstract class ZoeHandle : SafeHandle {
  protected ZoeHandle() : base(IntPtr.Zero, true) {}
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
}
sealed class ControllerHandle : ZoeHandle {
  protected override bool ReleaseHandle() { Native.zoe_controller_free(handle); return true; }
}
sealed class CharacterHandle : ZoeHandle {
  protected override bool ReleaseHandle() { Native.zoe_character_free(handle); return true; }
}
sealed class CrowdHandle : ZoeHandle {
  protected override bool ReleaseHandle() { Native.zoe_crowd_free(handle); return true; }
}
sealed class FileHandle : ZoeHandle {
  protected override bool ReleaseHandle() { Native.zoe_file_free(handle); return true; }
}

[StructLayout(LayoutKind.Sequential)]
struct PoseView {
  public int NumJoints;
  public IntPtr Translations, Rotations, Scales;

  public void CopyTo(float[] translations, float[] rotations) {
    if (translations.Length != 3 * NumJoints || rotations.Length != 4 * NumJoints) {
      throw new ArgumentException("3 translations and 4 rotations for each joint");
    }
    Marshal.Copy(Translations, translations, 0, translations.Length);
    Marshal.Copy(Rotations, rotations, 0, rotations.Length);
  }
}

static class Native {
  const string Lib = "zoe_c";

  internal static void Check(int status) {
    if (status != 0) throw new ZoeException(status, Text(zoe_last_error()));
  }
  internal static byte[] Utf8(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }
  internal static string Text(IntPtr utf8) {
    if (utf8 == IntPtr.Zero) return null;
    int length = 0;
    while (Marshal.ReadByte(utf8, length) != 0) ++length;
    var bytes = new byte[length];
    Marshal.Copy(utf8, bytes, 0, length);
    return Encoding.UTF8.GetString(bytes);
  }

  [DllImport(Lib)] internal static extern IntPtr zoe_version();
  [DllImport(Lib)] internal static extern int zoe_abi_version();
  [DllImport(Lib)] internal static extern IntPtr zoe_last_error();
  [DllImport(Lib)] internal static extern void zoe_set_deterministic(int on);

  [DllImport(Lib)] internal static extern int zoe_controller_load(byte[] path, out ControllerHandle controller);
  [DllImport(Lib)] internal static extern int zoe_controller_load_bytes(byte[] bytes, UIntPtr numBytes, byte[] name,
                                                                        out ControllerHandle controller);
  [DllImport(Lib)] internal static extern void zoe_controller_free(IntPtr controller);
  [DllImport(Lib)] internal static extern IntPtr zoe_controller_type(ControllerHandle controller);
  [DllImport(Lib)] internal static extern double zoe_controller_rate_hz(ControllerHandle controller);
  [DllImport(Lib)] internal static extern float zoe_controller_pace_mps(ControllerHandle controller);
  [DllImport(Lib)] internal static extern int zoe_controller_num_joints(ControllerHandle controller);
  [DllImport(Lib)] internal static extern IntPtr zoe_controller_joint_name(ControllerHandle controller, int joint);
  [DllImport(Lib)] internal static extern int zoe_controller_joint_parent(ControllerHandle controller, int joint);
  [DllImport(Lib)] internal static extern int zoe_controller_num_contacts(ControllerHandle controller);
  [DllImport(Lib)] internal static extern int zoe_intent_command(ref Intent intent, ControllerHandle controller,
                                                                 byte[] line);
  [DllImport(Lib)] internal static extern int zoe_intent_style(ref Intent intent, ControllerHandle controller,
                                                               byte[] name, float weight);

  [DllImport(Lib)] internal static extern int zoe_character_new(ControllerHandle controller, ref Placement placement,
                                                                out CharacterHandle character);
  [DllImport(Lib)] internal static extern void zoe_character_free(IntPtr character);
  [DllImport(Lib)] internal static extern int zoe_character_tick(CharacterHandle character, ref Intent intent,
                                                                 double dt_s);
  [DllImport(Lib)] internal static extern int zoe_character_reset(CharacterHandle character);
  [DllImport(Lib)] internal static extern int zoe_character_pose(CharacterHandle character, out PoseView pose);
  [DllImport(Lib)] internal static extern int zoe_character_pose_in_root(CharacterHandle character, out PoseView pose);
  [DllImport(Lib)] internal static extern int zoe_character_matrices(CharacterHandle character, [Out] float[] matrices,
                                                                     UIntPtr numFloats);
  [DllImport(Lib)] internal static extern int zoe_character_motion_state(CharacterHandle character,
                                                                         out MotionState state);
  [DllImport(Lib)] internal static extern UIntPtr zoe_character_state_bytes(CharacterHandle character);
  [DllImport(Lib)] internal static extern int zoe_character_save(CharacterHandle character, [Out] byte[] bytes,
                                                                 UIntPtr numBytes);
  [DllImport(Lib)] internal static extern int zoe_character_restore(CharacterHandle character, byte[] bytes,
                                                                    UIntPtr numBytes);
  [DllImport(Lib)] internal static extern ulong zoe_character_hash(CharacterHandle character);

  [DllImport(Lib)] internal static extern int zoe_crowd_new(IntPtr[] controllers, int[] capacities, int numControllers,
                                                            ref CrowdOptions options, IntPtr ground,
                                                            out CrowdHandle crowd);
  [DllImport(Lib)] internal static extern void zoe_crowd_free(IntPtr crowd);
  [DllImport(Lib)] internal static extern int zoe_crowd_size(CrowdHandle crowd);
  [DllImport(Lib)] internal static extern int zoe_crowd_num_alive(CrowdHandle crowd);
  [DllImport(Lib)] internal static extern int zoe_crowd_spawn(CrowdHandle crowd, int controller,
                                                              ref Placement placement, out int index);
  [DllImport(Lib)] internal static extern int zoe_crowd_despawn(CrowdHandle crowd, int index);
  [DllImport(Lib)] internal static extern int zoe_crowd_tick(CrowdHandle crowd, [In] Intent[] intents, int numIntents,
                                                             double dt_s);
  [DllImport(Lib)] internal static extern IntPtr zoe_crowd_character(CrowdHandle crowd, int index);
  // Characters of a crowd belong to it: plain pointers.
  [DllImport(Lib, EntryPoint = "zoe_character_motion_state")]
  internal static extern int zoe_character_motion_state_of(IntPtr character, out MotionState state);
  [DllImport(Lib, EntryPoint = "zoe_character_pose")]
  internal static extern int zoe_character_pose_of(IntPtr character, out PoseView pose);
  [DllImport(Lib)] internal static extern ulong zoe_crowd_hash(CrowdHandle crowd);

  [DllImport(Lib)] internal static extern int zoe_file_load(byte[] path, out FileHandle file);
  [DllImport(Lib)] internal static extern void zoe_file_free(IntPtr file);
  [DllImport(Lib)] internal static extern int zoe_file_num_joints(FileHandle file);
  [DllImport(Lib)] internal static extern int zoe_file_num_clips(FileHandle file);
  [DllImport(Lib)] internal static extern IntPtr zoe_file_joint_name(FileHandle file, int joint);
  [DllImport(Lib)] internal static extern int zoe_file_sample(FileHandle file, int clip, double time_s,
                                                              [Out] float[] translations, [Out] float[] rotations);
}

}  // namespace Zoe
