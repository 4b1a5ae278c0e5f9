// SPDX-License-Identifier: MIT
// The C# binding under Mono, and its Unity component against a stand-in of Unity's classes. Prints "ok" at the end.
using System;
using System.Collections.Generic;
using UnityEngine;

// The part of Unity that the component uses, with Unity's meaning: parents apply rotation, then translation.
namespace UnityEngine {
public struct Vector3 {
  public float x, y, z;
  public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
  public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
}
public struct Quaternion {
  public float x, y, z, w;
  public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
  public static Quaternion operator *(Quaternion a, Quaternion b) {
    return new Quaternion(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                          a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
  }
  public static Vector3 operator *(Quaternion q, Vector3 v) {
    var r = q * new Quaternion(v.x, v.y, v.z, 0) * new Quaternion(-q.x, -q.y, -q.z, q.w);
    return new Vector3(r.x, r.y, r.z);
  }
}
public static class Mathf {
  public static float Sin(float v) { return (float)Math.Sin(v); }
  public static float Cos(float v) { return (float)Math.Cos(v); }
  public static float Atan2(float y, float x) { return (float)Math.Atan2(y, x); }
}
public static class Time { public static float deltaTime = 1.0f / 60; }
public class Transform {
  public string name = "";
  public Vector3 localPosition;
  public Quaternion localRotation = new Quaternion(0, 0, 0, 1);
  public Transform parent;
  readonly List<Transform> children = new List<Transform>();
  public void Add(Transform child) { child.parent = this; children.Add(child); }
  public int childCount { get { return children.Count; } }
  public Transform GetChild(int index) { return children[index]; }
  public Quaternion rotation {
    get { return parent == null ? localRotation : parent.rotation * localRotation; }
    set { localRotation = value; }  // Set on roots only.
  }
  public Vector3 position {
    get { return parent == null ? localPosition : parent.position + parent.rotation * localPosition; }
    set { localPosition = value; }
  }
}
public class MonoBehaviour { public Transform transform = new Transform(); }
}  // namespace UnityEngine

static class CsharpTest {
  static void Expect(bool condition, string what) {
    if (!condition) throw new Exception("failed: " + what);
  }

  static void Character(string path) {
    using (var walker = Zoe.Controller.Load(path))
    using (var player = walker.NewCharacter()) {
      int count = walker.JointNames.Length;
      Expect(count > 10 && walker.Parents[0] == -1, "joints");
      for (int i = 1; i < count; ++i) Expect(walker.Parents[i] < i, "parents come first");
      var translations = new float[3 * count];
      var rotations = new float[4 * count];
      var matrices = new float[16 * count];
      for (int i = 0; i < 60; ++i) player.Tick(Zoe.Intent.Move(0, walker.PaceMps), 1.0 / 60);
      byte[] saved = player.Save();
      var intent = Zoe.Intent.Stand();
      walker.Command(ref intent, "move 1 0");
      Expect(intent.VelocityX == 1 && intent.NumMoments == 1, "a command in words");
      for (int i = 0; i < 30; ++i) player.Tick(intent, 1.0 / 60);
      ulong hash = player.Hash;
      player.Restore(saved);
      Expect(player.Hash != hash, "a restored state is another");
      for (int i = 0; i < 30; ++i) player.Tick(intent, 1.0 / 60);
      Expect(player.Hash == hash, "a restored state continues equally");
      player.CopyPose(translations, rotations);
      player.CopyMatrices(matrices);
      Expect(matrices[12] == translations[0] && matrices[15] == 1, "the root's matrix has its position");
      Expect(player.State.Z > 0.3f && player.State.NumSteps > 0, "it walked");
      saved[0] ^= 1;
      try {
        player.Restore(saved);
        Expect(false, "damaged bytes are refused");
      } catch (Zoe.ZoeException refused) {
        Expect(refused.Message.Length > 10, "with a reason");
      }
    }
  }

  static void Crowd(string path) {
    using (var walker = Zoe.Controller.Load(path))
    using (var crowd = new Zoe.Crowd(walker, 8, new Zoe.CrowdOptions { Avoids = 1, NumThreads = 1 })) {
      for (int i = 0; i < 8; ++i) Expect(crowd.Spawn(new Zoe.Placement { X = 2 * i }) == i, "spawned in order");
      try {
        crowd.Spawn(new Zoe.Placement());
        Expect(false, "a full crowd refuses");
      } catch (Zoe.ZoeException full) {
        Expect(full.Status == 5, "with a limit");
      }
      var intents = new Zoe.Intent[crowd.Size];
      for (int i = 0; i < intents.Length; ++i) intents[i] = Zoe.Intent.Move(0, walker.PaceMps);
      for (int i = 0; i < 60; ++i) crowd.Tick(intents, 1.0 / 60);
      Expect(crowd.State(7).Z > 0.3f && Math.Abs(crowd.State(7).X - 14) < 1, "each walks from its own place");
      crowd.Despawn(3);
      Expect(crowd.NumAlive == 7, "despawned");
    }
  }

  // Bones of the component are where the library's own matrices are, mirrored into Unity's space.
  static void Component(string path) {
    var component = new Zoe.ZoeCharacter { controllerFile = path, velocity = new Vector3(1, 0, 1) };
    component.transform.position = new Vector3(3, 0, -2);
    component.transform.rotation = new Quaternion(0, (float)Math.Sin(0.4), 0, (float)Math.Cos(0.4));
    var bones = new Transform[0];
    int[] parents;
    using (var walker = Zoe.Controller.Load(path)) {
      bones = new Transform[walker.JointNames.Length];
      parents = walker.Parents;
      for (int i = 0; i < bones.Length; ++i) {
        bones[i] = new Transform { name = walker.JointNames[i] };
        (parents[i] < 0 ? component.transform : bones[parents[i]]).Add(bones[i]);
      }
    }
    component.Awake();
    Expect(component.NumMissingBones == 0, "all bones are found");
    float began_m = component.transform.position.x;
    for (int i = 0; i < 120; ++i) component.Update();
    Expect(component.transform.position.x - began_m > 0.5f, "it walks along Unity's +x");
    var matrices = new float[16 * bones.Length];
    component.Character.CopyMatrices(matrices);
    for (int i = 0; i < bones.Length; ++i) {
      Vector3 at = bones[i].position;
      float away = Math.Abs(at.x + matrices[16 * i + 12]) + Math.Abs(at.y - matrices[16 * i + 13]) +
                   Math.Abs(at.z - matrices[16 * i + 14]);
      Expect(away < 1e-3f, "bone " + bones[i].name + " is " + away + " m away");
    }
    component.OnDestroy();
  }

  static int Main(string[] arguments) {
    Expect(Zoe.Library.AbiVersion == 1 && Zoe.Library.Version.Contains("."), "version");
    Character(arguments[0]);
    Crowd(arguments[0]);
    Component(arguments[0]);
    try {
      Zoe.Controller.Load("no_such_run");
      Expect(false, "a missing run is refused");
    } catch (Zoe.ZoeException refused) {
      Expect(refused.Message.Contains("no_such_run"), "the error names the file");
    }
    if (arguments.Length > 1) {
      using (var file = Zoe.MotionFile.Load(arguments[1])) {
        var rotations = new float[4 * file.NumJoints];
        file.Sample(0, 0.1, new float[3 * file.NumJoints], rotations);
        double length = 0;
        for (int i = 0; i < 4; ++i) length += rotations[i] * rotations[i];
        Expect(Math.Abs(length - 1) < 1e-3, "a sampled rotation has length 1");
      }
    }
    Console.WriteLine("csharp ok");
    return 0;
  }
}
