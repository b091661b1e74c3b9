#include <experiments/oracle.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

struct Known {
  const char* set;
  double confidence;
  double fixed, root, equal, smallest;
};

// Computed once by another program (with the true f, without sampling), to three decimals.
constexpr Known known[] = {
    {"cos", 0.95, 3.138, 1.920, 1.961, 1.723},     {"cos", 0.9, 2.433, 1.494, 1.646, 1.369},
    {"cos", 0.68, 0.882, 0.590, 0.995, 0.578},     {"squared", 0.95, 2.201, 1.315, 1.339, 1.175},
    {"squared", 0.9, 1.608, 1.007, 1.124, 0.930},  {"squared", 0.68, 0.530, 0.425, 0.680, 0.367},
    {"inverse", 0.95, 4.193, 2.479, 2.571, 2.231}, {"inverse", 0.9, 3.218, 1.924, 2.158, 1.762},
    {"inverse", 0.68, 1.151, 0.730, 1.305, 0.698}, {"linear", 0.95, 3.050, 1.874, 1.911, 1.682},
    {"linear", 0.9, 2.369, 1.459, 1.604, 1.337},   {"linear", 0.68, 0.861, 0.579, 0.970, 0.568},
};

TEST(Oracle, KnownHalfWidths) {
  for (const auto& row : known) {
    const auto all = oracles(*synthetic_sets().make(row.set), row.confidence);
    const double expected[] = {row.fixed, row.root, row.equal, row.smallest};
    ASSERT_EQ(all.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(all[i].mean_half_width, expected[i], 0.003) << row.set << " " << row.confidence << " " << all[i].name;
  }
}

TEST(Oracle, NothingIsSmallerThanTheLevelSet) {
  for (const auto& entry : synthetic_sets().entries())
    for (const double confidence : {0.5, 0.8, 0.99}) {
      const auto all = oracles(*synthetic_sets().make(entry.name), confidence);
      for (const auto& other : all) EXPECT_LE(all.back().mean_half_width, other.mean_half_width + 1e-9) << entry.name;
    }
}

}  // namespace
}  // namespace taut
