// SPDX-License-Identifier: MIT
#include "zoe/anatomy/names.h"

#include <algorithm>
#include <array>

namespace zoe::anatomy {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// Words without meaning for the body: rig prefixes and generic nouns.
constexpr std::array<std::string_view, 14> kNoise{"mixamorig", "bip",      "biped", "def",  "org", "joint",    "jnt",
                                                  "bone",      "skeleton", "bn",    "bind", "jt",  "armature", "bp"};

enum class Match : std::uint8_t { kToken, kPart };  // A whole token, or a part of all tokens joined together.
struct Synonym {
  std::string_view text;
  Match match;
  Role role;
};

// The one table of synonyms. The first that fits decides, so special words are before general ones.
constexpr std::array kSynonyms{
    Synonym{"twist", Match::kPart, Role::kHelper},      Synonym{"pole", Match::kPart, Role::kHelper},
    Synonym{"target", Match::kPart, Role::kHelper},     Synonym{"ik", Match::kToken, Role::kHelper},
    Synonym{"ctrl", Match::kPart, Role::kHelper},       Synonym{"control", Match::kPart, Role::kHelper},
    Synonym{"mch", Match::kToken, Role::kHelper},       Synonym{"slot", Match::kPart, Role::kHelper},
    Synonym{"weapon", Match::kPart, Role::kHelper},     Synonym{"sword", Match::kPart, Role::kHelper},
    Synonym{"shield", Match::kPart, Role::kHelper},     Synonym{"prop", Match::kToken, Role::kHelper},
    Synonym{"socket", Match::kPart, Role::kHelper},     Synonym{"camera", Match::kPart, Role::kHelper},
    Synonym{"pt", Match::kToken, Role::kHelper},        Synonym{"pv", Match::kToken, Role::kHelper},
    Synonym{"ctl", Match::kToken, Role::kHelper},       Synonym{"helper", Match::kPart, Role::kHelper},
    Synonym{"light", Match::kToken, Role::kHelper},     Synonym{"footsteps", Match::kPart, Role::kHelper},
    Synonym{"tentacle", Match::kPart, Role::kHeadPart}, Synonym{"horn", Match::kPart, Role::kHeadPart},
    Synonym{"antler", Match::kPart, Role::kHeadPart},   Synonym{"leaf", Match::kToken, Role::kHeadPart},
    Synonym{"tongue", Match::kPart, Role::kHeadPart},   Synonym{"jaw", Match::kPart, Role::kHeadPart},
    Synonym{"mouth", Match::kPart, Role::kHeadPart},    Synonym{"teeth", Match::kPart, Role::kHeadPart},
    Synonym{"eye", Match::kPart, Role::kHeadPart},      Synonym{"ear", Match::kToken, Role::kHeadPart},
    Synonym{"ears", Match::kToken, Role::kHeadPart},    Synonym{"nose", Match::kPart, Role::kHeadPart},
    Synonym{"chin", Match::kPart, Role::kHeadPart},     Synonym{"brow", Match::kPart, Role::kHeadPart},
    Synonym{"lip", Match::kToken, Role::kHeadPart},     Synonym{"cheek", Match::kPart, Role::kHeadPart},
    Synonym{"beak", Match::kPart, Role::kHeadPart},     Synonym{"hair", Match::kPart, Role::kHeadPart},
    Synonym{"antenna", Match::kPart, Role::kHeadPart},  Synonym{"face", Match::kToken, Role::kHeadPart},
    Synonym{"wing", Match::kPart, Role::kWing},         Synonym{"feather", Match::kPart, Role::kFeather},
    Synonym{"flipper", Match::kPart, Role::kFin},       Synonym{"fin", Match::kToken, Role::kFin},
    Synonym{"pectoral", Match::kPart, Role::kFin},      Synonym{"tail", Match::kPart, Role::kTail},
    Synonym{"toe", Match::kPart, Role::kToe},           Synonym{"ball", Match::kToken, Role::kToe},
    Synonym{"foot", Match::kPart, Role::kFoot},         Synonym{"feet", Match::kPart, Role::kFoot},
    Synonym{"ankle", Match::kPart, Role::kFoot},        Synonym{"paw", Match::kPart, Role::kFoot},
    Synonym{"hoof", Match::kPart, Role::kFoot},         Synonym{"heel", Match::kPart, Role::kFoot},
    Synonym{"middleleg", Match::kPart, Role::kLeg},     Synonym{"midleg", Match::kPart, Role::kLeg},
    Synonym{"finger", Match::kPart, Role::kFinger},     Synonym{"thumb", Match::kPart, Role::kFinger},
    Synonym{"index", Match::kPart, Role::kFinger},      Synonym{"middle", Match::kPart, Role::kFinger},
    Synonym{"ring", Match::kToken, Role::kFinger},      Synonym{"handring", Match::kPart, Role::kFinger},
    Synonym{"pinky", Match::kPart, Role::kFinger},      Synonym{"little", Match::kPart, Role::kFinger},
    Synonym{"lowerleg", Match::kPart, Role::kLowerLeg}, Synonym{"lowleg", Match::kPart, Role::kLowerLeg},
    Synonym{"downleg", Match::kPart, Role::kLowerLeg},  Synonym{"leglower", Match::kPart, Role::kLowerLeg},
    Synonym{"calf", Match::kPart, Role::kLowerLeg},     Synonym{"shin", Match::kPart, Role::kLowerLeg},
    Synonym{"knee", Match::kPart, Role::kLowerLeg},     Synonym{"upperleg", Match::kPart, Role::kUpperLeg},
    Synonym{"upleg", Match::kPart, Role::kUpperLeg},    Synonym{"legupper", Match::kPart, Role::kUpperLeg},
    Synonym{"thigh", Match::kPart, Role::kUpperLeg},    Synonym{"hipjoint", Match::kPart, Role::kUpperLeg},
    Synonym{"leg", Match::kPart, Role::kLeg},           Synonym{"forearm", Match::kPart, Role::kForearm},
    Synonym{"lowerarm", Match::kPart, Role::kForearm},  Synonym{"armlower", Match::kPart, Role::kForearm},
    Synonym{"elbow", Match::kPart, Role::kForearm},     Synonym{"hand", Match::kPart, Role::kHand},
    Synonym{"wrist", Match::kPart, Role::kWrist},       Synonym{"fist", Match::kPart, Role::kHand},
    Synonym{"claw", Match::kToken, Role::kHand},        Synonym{"palm", Match::kPart, Role::kWrist},
    Synonym{"shoulder", Match::kPart, Role::kShoulder}, Synonym{"clavicle", Match::kPart, Role::kShoulder},
    Synonym{"collar", Match::kPart, Role::kShoulder},   Synonym{"scap", Match::kPart, Role::kShoulder},
    Synonym{"arm", Match::kPart, Role::kUpperArm},      Synonym{"head", Match::kPart, Role::kHead},
    Synonym{"skull", Match::kPart, Role::kHead},        Synonym{"neck", Match::kPart, Role::kNeck},
    Synonym{"spine", Match::kPart, Role::kSpine},       Synonym{"chest", Match::kPart, Role::kSpine},
    Synonym{"torso", Match::kPart, Role::kSpine},       Synonym{"abdomen", Match::kPart, Role::kSpine},
    Synonym{"thorax", Match::kPart, Role::kSpine},      Synonym{"back", Match::kPart, Role::kSpine},
    Synonym{"waist", Match::kPart, Role::kSpine},       Synonym{"hips", Match::kPart, Role::kHips},
    Synonym{"pelvis", Match::kPart, Role::kHips},       Synonym{"hip", Match::kToken, Role::kHips},
    Synonym{"root", Match::kPart, Role::kRoot},
};

// Removes the side from the tokens. A side is a separate token, or a prefix: "lefthand".
Side take_side(std::vector<std::string>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string& token = tokens[i];
    for (const auto& [word, side] : {std::pair{std::string_view("left"), Side::kLeft}, {"right", Side::kRight}}) {
      if (token == word || (token.size() == 1 && token[0] == word[0])) {
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
        return side;
      }
      if (token.starts_with(word)) {
        token.erase(0, word.size());
        return side;
      }
    }
  }
  return Side::kCenter;
}

Role role_of(const std::vector<std::string>& tokens, Side side) {
  std::string joined;
  for (const std::string& token : tokens) {
    const bool noise = std::find(kNoise.begin(), kNoise.end(), token) != kNoise.end();
    if (!noise && !is_digit(token[0])) joined += token;
  }
  for (const Synonym& synonym : kSynonyms) {
    const bool fits = synonym.match == Match::kPart
                          ? joined.find(synonym.text) != std::string::npos
                          : std::find(tokens.begin(), tokens.end(), synonym.text) != tokens.end();
    if (!fits) continue;
    // "LeftHip" is the start of a leg; "Hip" is the pelvis.
    return synonym.role == Role::kHips && side != Side::kCenter ? Role::kUpperLeg : synonym.role;
  }
  return Role::kUnknown;
}

}  // namespace

std::vector<std::string> tokenise(std::string_view name) {
  std::vector<std::string> tokens;
  std::string token;
  const auto flush = [&] {
    if (!token.empty()) tokens.push_back(std::move(token));
    token.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_lower(c) && !is_upper(c) && !is_digit(c)) {
      flush();
      continue;
    }
    if (i > 0) {
      const char before = name[i - 1];
      const bool next_is_lower = i + 1 < name.size() && is_lower(name[i + 1]);
      const bool camel = is_upper(c) && (is_lower(before) || (is_upper(before) && next_is_lower));
      if (camel || is_digit(c) != is_digit(before)) flush();
    }
    token += to_lower(c);
  }
  flush();
  return tokens;
}

NameReading read_name(std::string_view name) {
  std::vector<std::string> tokens = tokenise(name);
  NameReading reading;
  reading.side = take_side(tokens);
  reading.role = role_of(tokens, reading.side);
  for (const std::string& token : tokens) reading.stem += token + "_";
  return reading;
}

}  // namespace zoe::anatomy
