// SPDX-License-Identifier: MIT
// Part of Zoetrope. A component for Unity: drives the bones below its object by a controller. Bones are found by the
// joints' names. Unity's space is left-handed: x of positions and y, z of quaternions change their sign.
using System.Collections.Generic;
using UnityEngine;

namespace Zoe {

public class ZoeCharacter : MonoBehaviour {
  public string controllerFile = "walker.zoe";  // A .zoe file or a run folder.
  public Vector3 velocity;                      // Desired, m/s, world space.
  public string command = "";                   // Sent once when it changes: "gait run", "style old".
  // Unity's place of the character. False: only the pose, relative to the object.
  public bool movesObject = true;

  Controller controller;
  Character character;
  Transform[] bones;
  float[] translations, rotations;
  Intent intent = Intent.Stand();
  string lastCommand = "";

  public int NumMissingBones { get; private set; }
  public Character Character { get { return character; } }

  public static Vector3 Position(float x, float y, float z) { return new Vector3(-x, y, z); }
  public static Quaternion Rotation(float x, float y, float z, float w) { return new Quaternion(x, -y, -z, w); }

  public void Awake() {
    controller = Controller.Load(controllerFile);
    Vector3 at = transform.position;
    Vector3 ahead = transform.rotation * new Vector3(0, 0, 1);
    character = controller.NewCharacter(new Placement { X = -at.x, Y = at.y, Z = at.z,
                                                        FacingRad = Mathf.Atan2(-ahead.x, ahead.z) });
    int count = controller.JointNames.Length;
    translations = new float[3 * count];
    rotations = new float[4 * count];
    var byName = new Dictionary<string, Transform>();
    Collect(transform, byName);
    bones = new Transform[count];
    for (int i = 0; i < count; ++i) {
      if (!byName.TryGetValue(controller.JointNames[i], out bones[i])) ++NumMissingBones;
    }
  }

  static void Collect(Transform from, Dictionary<string, Transform> byName) {
    for (int i = 0; i < from.childCount; ++i) {
      Transform child = from.GetChild(i);
      if (!byName.ContainsKey(child.name)) byName.Add(child.name, child);
      Collect(child, byName);
    }
  }

  public void Update() {
    intent.NumMoments = 1;
    intent.VelocityX = -velocity.x;
    intent.VelocityZ = velocity.z;
    if (command != lastCommand) {
      controller.Command(ref intent, command);
      lastCommand = command;
    }
    character.Tick(intent, Time.deltaTime);
    Apply();
  }

  void Apply() {
    MotionState state = character.State;
    if (movesObject) {
      transform.position = Position(state.X, state.Y, state.Z);
      float half = -0.5f * state.FacingRad;  // Facing turns the other way in a left-handed space.
      transform.rotation = new Quaternion(0, Mathf.Sin(half), 0, Mathf.Cos(half));
    }
    character.CopyPoseInRoot(translations, rotations);
    for (int i = 0; i < bones.Length; ++i) {
      if (bones[i] == null) continue;
      bones[i].localPosition = Position(translations[3 * i], translations[3 * i + 1], translations[3 * i + 2]);
      bones[i].localRotation = Rotation(rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2],
                                        rotations[4 * i + 3]);
    }
  }

  public void OnDestroy() {
    if (character != null) character.Dispose();
    if (controller != null) controller.Dispose();
  }
}

}  // namespace Zoe
