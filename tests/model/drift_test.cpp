// The summary of calibration rows that a model stores, so that other rows can be compared with them.
#include <taut/core/error.hpp>
#include <taut/model/file.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

using testing::given_options;
using testing::small_table;

// Batches are added up. The prediction and the scale are compared too, so a change that no single input shows can be found.
TEST(ModelDrift, ByAModel) {
  const Regressor model = Regressor::fit(small_table(2000), given_options());
  const auto found_in = [&](const Table& rows) {
    DriftCheck check = model.begin_drift_check();
    for (Index first = 0; first < rows.rows(); first += 100) model.add_rows(check, testing::rows_of(rows, first, 100));
    EXPECT_EQ(check.rows(), rows.rows());
    std::string columns;
    for (const DriftFinding& shift : check.findings()) columns += shift.column + " ";
    return columns;
  };
  EXPECT_EQ(found_in(small_table(500, 1)), "");
  Table moved = small_table(500, 1);
  moved.values.col(moved.require("f")).array() += 5;
  EXPECT_EQ(found_in(moved).substr(0, 14), "the prediction");
  Table noisy = small_table(500, 1);
  noisy.values.col(noisy.require("x")) *= 0.5;  // where the noise is large
  noisy.values.col(noisy.require("x2")) *= 0.25;
  EXPECT_NE(found_in(noisy).find("the scale"), std::string::npos) << found_in(noisy);
}

template <class T>
bool copy_as(const Archive& from, const std::string& name, Archive& to) {
  try {
    to.put(name, from.get<T>(name));
    return true;
  } catch (const Error&) {
    return false;
  }
}

template <class... T>
void copy_entry(const Archive& from, const std::string& name, Archive& to, const std::variant<T...>&) {
  EXPECT_TRUE((copy_as<T>(from, name, to) || ...)) << name;
}

TEST(ModelDrift, TravelsInTheModelFileAndOldFilesSaySo) {
  const Regressor model = Regressor::fit(small_table(500), given_options());
  const std::string bytes = model.to_bytes();
  Table moved = small_table(500, 1);
  moved.values.col(moved.require("x")).array() += 1;
  const auto found_by = [&](const Regressor& one) {
    DriftCheck check = one.begin_drift_check();
    one.add_rows(check, moved);
    return check.findings();
  };
  const auto before = found_by(model), after = found_by(Regressor::from_bytes(bytes));
  ASSERT_FALSE(before.empty());
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].words, after[i].words);

  const Archive archive = Archive::decode(unframe(bytes));
  Archive old;
  for (const auto& name : archive.names())
    if (!name.starts_with("calibration/inputs/")) copy_entry(archive, name, old, Archive::Value());
  const Regressor from_old = Regressor::from_bytes(frame(old.encode()));
  EXPECT_THROW(from_old.begin_drift_check(), Error);
  EXPECT_THROW(Regressor::fit(small_table(500), given_options(), {}, TableView("none", 0)).begin_drift_check(), Error);
}

TEST(ModelDrift, DamagedSummariesAreRefused) {
  const std::string bytes = Regressor::fit(small_table(500), given_options()).to_bytes();
  const auto refuses = [&](const std::string& name, Archive::Value value) {
    Archive archive = Archive::decode(unframe(bytes));
    archive.put("calibration/inputs/" + name, std::move(value));
    EXPECT_THROW(Regressor::from_bytes(frame(archive.encode())), Error) << name;
  };
  const Archive archive = Archive::decode(unframe(bytes)).scope("calibration/inputs");
  using Numbers = std::vector<std::int64_t>;
  for (const char* name : {"absent", "others", "points", "ranks", "counts"}) {
    Numbers longer = archive.get<Numbers>(name);
    longer.push_back(1);
    refuses(name, longer);
    refuses(name, Numbers(archive.get<Numbers>(name).size() + (std::string(name) == "counts" ? 1 : 0), -1));
    refuses(name, std::string("text"));
  }
  refuses("points", Numbers(archive.get<Numbers>("points").size(), std::int64_t{1} << 60));
  refuses("ranks", Numbers(archive.get<Numbers>("ranks").size(), std::int64_t{1} << 60));
  std::vector<double> values = archive.get<std::vector<double>>("values");
  std::reverse(values.begin(), values.end());
  refuses("values", values);
  values.assign(values.size(), missing);
  refuses("values", values);
}

}  // namespace
}  // namespace taut
