// SPDX-License-Identifier: MIT
// Part of Zoetrope. The C interface (zoe.h) for C#: .NET, Mono, Unity. Needs the library zoe_c beside the program.
//
//   using (var walker = Zoe.Controller.Load("walker.zoe"))
//   using (var player = walker.NewCharacter()) {
//     player.Tick(Zoe.Intent.Move(0, 1.4f), 1.0 / 60);
//     player.CopyPose(translations, rotations);
//   }
//
// Space: right-handed, Y up, +Z forward, metres, quaternions x y z w. ZoeUnity.cs converts to Unity's. Ticks and copies
// allocate nothing. Failures are a ZoeException with the library's text.
using System;
using System.Runtime.InteropServices;

namespace Zoe {

public sealed class ZoeException : Exception {
  public int Status { get; }
  internal ZoeException(int status, string text) : base(text) { Status = status; }
}

// What a player asks of a character; zeros mean standing. The layout is zoe_intent's.
[StructLayout(LayoutKind.Explicit, Size = 352)]
public struct Intent {
  [FieldOffset(0)] public int NumMoments;
  [FieldOffset(8)] public float VelocityX;  // m/s, of the first moment.
  [FieldOffset(16)] public float VelocityZ;
  [FieldOffset(20)] public float FacingRad;  // About +Y from +Z.
  [FieldOffset(24)] public int HasFacing;
  [FieldOffset(196)] public int Gait;
  [FieldOffset(328)] public float GoalX;
  [FieldOffset(332)] public float GoalY;
  [FieldOffset(336)] public float GoalZ;
  [FieldOffset(340)] public float GoalFacingRad;
  [FieldOffset(344)] public int HasGoal;
  [FieldOffset(348)] public int HasGoalFacing;

  public static Intent Stand() { return new Intent { NumMoments = 1 }; }
  public static Intent Move(float x_mps, float z_mps) {
    return new Intent { NumMoments = 1, VelocityX = x_mps, VelocityZ = z_mps };
  }
  public static Intent Go(float x_m, float z_m) { return new Intent { GoalX = x_m, GoalZ = z_m, HasGoal = 1 }; }
}

[StructLayout(LayoutKind.Sequential)]
public struct Placement {
  public float X, Y, Z, FacingRad;
  public float LegSize, UpperSize;  // 0 counts as 1.
  public int Lane;
}

[StructLayout(LayoutKind.Sequential)]
public struct MotionState {
  public float X, Y, Z, FacingRad;
  public float VelocityX, VelocityY, VelocityZ, SpeedMps;
  public int Progress, NumRecoveries;
  public long NumSteps;
}

[StructLayout(LayoutKind.Sequential)]
public struct CrowdOptions {
  public int Avoids, NumThreads;
  public float RadiusM;
}

public static class Library {
  public static string Version { get { return Native.Text(Native.zoe_version()); } }
  public static int AbiVersion { get { return Native.zoe_abi_version(); } }
  public static void SetDeterministic(bool on) { Native.zoe_set_deterministic(on ? 1 : 0); }
}

// A trained model. Any number of characters share it.
public sealed class Controller : IDisposable {
  internal readonly ControllerHandle Handle;
  public readonly string[] JointNames;
  public readonly int[] Parents;

  Controller(ControllerHandle handle) {
    Handle = handle;
    int count = Native.zoe_controller_num_joints(handle);
    JointNames = new string[count];
    Parents = new int[count];
    for (int i = 0; i < count; ++i) {
      JointNames[i] = Native.Text(Native.zoe_controller_joint_name(handle, i));
      Parents[i] = Native.zoe_controller_joint_parent(handle, i);
    }
  }

  public static Controller Load(string path) {
    ControllerHandle handle;
    Native.Check(Native.zoe_controller_load(Native.Utf8(path), out handle));
    return new Controller(handle);
  }
  // The bytes of a .zoe file: a TextAsset's bytes in Unity.
  public static Controller Load(byte[] bytes, string name) {
    ControllerHandle handle;
    Native.Check(Native.zoe_controller_load_bytes(bytes, (UIntPtr)bytes.Length, Native.Utf8(name), out handle));
    return new Controller(handle);
  }

  public string Type { get { return Native.Text(Native.zoe_controller_type(Handle)); } }
  public double RateHz { get { return Native.zoe_controller_rate_hz(Handle); } }
  public float PaceMps { get { return Native.zoe_controller_pace_mps(Handle); } }
  public int NumContacts { get { return Native.zoe_controller_num_contacts(Handle); } }

  // "move 0 1.4", "gait run", "style old", …
  public void Command(ref Intent intent, string line) {
    Native.Check(Native.zoe_intent_command(ref intent, Handle, Native.Utf8(line)));
  }
  public void SetStyle(ref Intent intent, string name, float weight) {
    Native.Check(Native.zoe_intent_style(ref intent, Handle, Native.Utf8(name), weight));
  }

  public Character NewCharacter(Placement placement = default(Placement)) {
    CharacterHandle handle;
    Native.Check(Native.zoe_character_new(Handle, ref placement, out handle));
    return new Character(handle, JointNames.Length);
  }
  public void Dispose() { Handle.Dispose(); }
}

public sealed class Character : IDisposable {
  readonly CharacterHandle handle;
  readonly int numJoints;
  internal Character(CharacterHandle handle, int numJoints) {
    this.handle = handle;
    this.numJoints = numJoints;
  }

  public void Tick(Intent intent, double dt_s) { Native.Check(Native.zoe_character_tick(handle, ref intent, dt_s)); }
  public void Reset() { Native.Check(Native.zoe_character_reset(handle)); }
  public MotionState State {
    get {
      MotionState state;
      Native.Check(Native.zoe_character_motion_state(handle, out state));
      return state;
    }
  }
  public ulong Hash { get { return Native.zoe_character_hash(handle); } }

  // World space: joint 0 carries the body. translations: [3 × joints], rotations: [4 × joints].
  public void CopyPose(float[] translations, float[] rotations) {
    PoseView pose;
    Native.Check(Native.zoe_character_pose(handle, out pose));
    pose.CopyTo(translations, rotations);
  }
  // Relative to the root, for engines that move the entity to State's position and facing.
  public void CopyPoseInRoot(float[] translations, float[] rotations) {
    PoseView pose;
    Native.Check(Native.zoe_character_pose_in_root(handle, out pose));
    pose.CopyTo(translations, rotations);
  }
  // world_from_joint, 16 floats for each joint, column after column.
  public void CopyMatrices(float[] matrices) {
    if (matrices.Length != 16 * numJoints) throw new ArgumentException("matrices must have 16 × joints floats");
    Native.Check(Native.zoe_character_matrices(handle, matrices, (UIntPtr)matrices.Length));
  }

  public byte[] Save() {
    var bytes = new byte[(int)Native.zoe_character_state_bytes(handle)];
    Native.Check(Native.zoe_character_save(handle, bytes, (UIntPtr)bytes.Length));
    return bytes;
  }
  public void Restore(byte[] bytes) {
    Native.Check(Native.zoe_character_restore(handle, bytes, (UIntPtr)bytes.Length));
  }
  public void Dispose() { handle.Dispose(); }
}

// Characters of one controller, stepped together.
public sealed class Crowd : IDisposable {
  readonly CrowdHandle handle;
  public int Size { get { return Native.zoe_crowd_size(handle); } }
  public int NumAlive { get { return Native.zoe_crowd_num_alive(handle); } }

  public Crowd(Controller controller, int capacity, CrowdOptions options = default(CrowdOptions)) {
    bool added = false;
    controller.Handle.DangerousAddRef(ref added);
    try {
      var controllers = new[] { controller.Handle.DangerousGetHandle() };
      Native.Check(Native.zoe_crowd_new(controllers, new[] { capacity }, 1, ref options, IntPtr.Zero, out handle));
    } finally {
      if (added) controller.Handle.DangerousRelease();
    }
  }
  public int Spawn(Placement placement) {
    int index;
    Native.Check(Native.zoe_crowd_spawn(handle, 0, ref placement, out index));
    return index;
  }
  public void Despawn(int index) { Native.Check(Native.zoe_crowd_despawn(handle, index)); }
  public void Tick(Intent[] intents, double dt_s) {
    Native.Check(Native.zoe_crowd_tick(handle, intents, intents.Length, dt_s));
  }
  public MotionState State(int index) {
    MotionState state;
    Native.Check(Native.zoe_character_motion_state_of(Native.zoe_crowd_character(handle, index), out state));
    return state;
  }
  public void CopyPose(int index, float[] translations, float[] rotations) {
    PoseView pose;
    Native.Check(Native.zoe_character_pose_of(Native.zoe_crowd_character(handle, index), out pose));
    pose.CopyTo(translations, rotations);
  }
  public ulong Hash { get { return Native.zoe_crowd_hash(handle); } }
  public void Dispose() { handle.Dispose(); }
}

// The clips of a motion file.
public sealed class MotionFile : IDisposable {
  readonly FileHandle handle;
  MotionFile(FileHandle handle) { this.handle = handle; }
  public static MotionFile Load(string path) {
    FileHandle handle;
    Native.Check(Native.zoe_file_load(Native.Utf8(path), out handle));
    return new MotionFile(handle);
  }
  public int NumJoints { get { return Native.zoe_file_num_joints(handle); } }
  public int NumClips { get { return Native.zoe_file_num_clips(handle); } }
  public string JointName(int joint) { return Native.Text(Native.zoe_file_joint_name(handle, joint)); }
  // The pose at a time from the first frame, clamped to the clip.
  public void Sample(int clip, double time_s, float[] translations, float[] rotations) {
    if (translations.Length != 3 * NumJoints || rotations.Length != 4 * NumJoints) {
      throw new ArgumentException("3 translations and 4 rotations for each joint");
    }
    Native.Check(Native.zoe_file_sample(handle, clip, time_s, translations, rotations));
  }
  public void Dispose() { handle.Dispose(); }
}

}  // namespace Zoe
