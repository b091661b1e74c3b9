// An alarm is worth what its rate of false alarms is worth: that is tested first.
#include <taut/model/shift.hpp>

#include <taut/core/error.hpp>
#include <taut/metric/beta.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/file.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::given_options;
using testing::small_table;

// A number, one of few values, one that is often missing, and a category with a rare level.
Table mixed_rows(Index rows, Random& random) {
  Table table;
  table.columns = {{"smooth", false, {}}, {"ties", false, {}}, {"gaps", false, {}}, {"colour", true, {"red", "green", "blue"}}};
  table.values.resize(rows, 4);
  for (Index row = 0; row < rows; ++row) {
    const double luck = random.uniform();
    table.values.row(row) << random.normal(), std::floor(random.uniform(0, 3)), random.uniform() < 0.3 ? missing : luck,
        luck < 0.5    ? 0
        : luck < 0.98 ? 1
                      : 2;
  }
  return table;
}

std::vector<Shift> compare(const Table& before, const Table& after, double rate = ShiftCheck::false_alarms) {
  const InputSummary summary(before, all_rows(before), Matrix(before.rows(), 0), 1);
  ShiftCheck check(summary, before.columns);
  check.add(after, Matrix(after.rows(), 0));
  return check.findings(rate);
}

// The chance of a false alarm is at most `rate`, for small and uneven numbers of rows and for ties; and not far below it, or the
// alarm would be deaf.
TEST(ShiftCheck, RaisesFalseAlarmsNoMoreOftenThanItSays) {
  Random random(1);
  for (const auto& [n, m, rate] :
       {std::tuple{60, 40, 0.001}, {25, 300, 0.001}, {400, 200, 0.001}, {60, 40, 0.1}, {25, 300, 0.1}, {400, 200, 0.1}}) {
    const Index files = n + m > 500 ? 4000 : 10000;
    Index alarms = 0;
    for (Index file = 0; file < files; ++file)
      alarms += compare(mixed_rows(n, random), mixed_rows(m, random), rate).empty() ? 0 : 1;
    const double share = static_cast<double>(alarms) / static_cast<double>(files);
    EXPECT_GT(1 - binomial_cdf(alarms - 1, files, rate), 1e-5) << n << " and " << m << " rows: " << share << " for " << rate;
    EXPECT_TRUE(rate < 0.01 || share > rate / 10) << n << " and " << m << " rows: " << share;
    std::printf("%d and %d rows, at most %g: %g of %td files\n", n, m, rate, share, files);
  }
}

TEST(ShiftCheck, FindsWhatIsDifferentAndNothingElse) {
  Random random(2);
  const Table before = mixed_rows(300, random);
  const auto found_after = [&](auto change) {
    Table after = mixed_rows(300, random);
    for (Index row = 0; row < after.rows(); ++row) change(after.values.row(row), row);
    std::string columns;
    for (const Shift& shift : compare(before, after)) columns += shift.column + " ";
    return columns;
  };
  EXPECT_EQ(found_after([](auto, Index) {}), "");
  EXPECT_EQ(found_after([](auto row, Index) { row(0) += 0.6; }), "smooth ");
  EXPECT_EQ(found_after([](auto row, Index) { row(0) *= 2.5; }), "smooth ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(0) += i % 10 == 0 ? 1000 : 0; }), "smooth ");  // one row in ten
  EXPECT_EQ(found_after([](auto row, Index) { row(1) = 2; }), "ties ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(2) = i % 5 == 0 ? 0.5 : missing; }), "gaps ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(3) = i % 4 == 0 ? 2 : row(3); }), "colour ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(3) = i % 4 == 0 ? missing : row(3); }), "colour ");  // levels never seen
}

TEST(ShiftCheck, SaysWhatIsDifferent) {
  Random random(3);
  const Table before = mixed_rows(400, random);
  Table after = mixed_rows(400, random);
  after.values.col(0).array() += 3;
  after.values.col(3).setConstant(2);
  const auto found = compare(before, after);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].column, "colour");
  EXPECT_NE(found[0].words.find("100 % of the rows have the level 'blue'; of the calibration rows"), std::string::npos)
      << found[0].words;
  EXPECT_NE(found[1].words.find("of the rows lie at or below"), std::string::npos) << found[1].words;
  EXPECT_LT(found[1].p_value, 1e-10);
}

// One row can be odd, but never prove that the source has changed.
TEST(ShiftCheck, FewRowsProveNothing) {
  Random random(4);
  Table one = mixed_rows(1, random);
  one.values << 1e9, 1e9, 1e9, 2;
  EXPECT_TRUE(compare(mixed_rows(500, random), one).empty());
  EXPECT_TRUE(compare(one, mixed_rows(500, random)).empty());
  EXPECT_TRUE(compare(mixed_rows(500, random), mixed_rows(0, random)).empty());
}

// Batches are added up; the prediction and the scale are compared too, so a change that no single input shows may still be seen.
TEST(ShiftCheck, ByAModel) {
  const Model model = Model::fit(small_table(2000), given_options());
  const auto found_in = [&](const Table& rows) {
    ShiftCheck check = model.begin_shift_check();
    for (Index first = 0; first < rows.rows(); first += 100) model.add_rows(check, testing::rows_of(rows, first, 100));
    EXPECT_EQ(check.rows(), rows.rows());
    std::string columns;
    for (const Shift& shift : check.findings()) columns += shift.column + " ";
    return columns;
  };
  EXPECT_EQ(found_in(small_table(500, 1)), "");
  Table moved = small_table(500, 1);
  moved.values.col(moved.require("f")).array() += 5;
  EXPECT_EQ(found_in(moved).substr(0, 14), "the prediction");
  Table noisy = small_table(500, 1);
  noisy.values.col(noisy.require("x")) *= 0.5;  // where the noise is
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

TEST(ShiftCheck, TravelsInTheModelFileAndOldFilesSaySo) {
  const Model model = Model::fit(small_table(500), given_options());
  const std::string bytes = model.to_bytes();
  Table moved = small_table(500, 1);
  moved.values.col(moved.require("x")).array() += 1;
  const auto found_by = [&](const Model& one) {
    ShiftCheck check = one.begin_shift_check();
    one.add_rows(check, moved);
    return check.findings();
  };
  const auto before = found_by(model), after = found_by(Model::from_bytes(bytes));
  ASSERT_FALSE(before.empty());
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].words, after[i].words);

  const Archive archive = Archive::decode(unframe(bytes));
  Archive old;
  for (const auto& name : archive.names())
    if (!name.starts_with("calibration/inputs/")) copy_entry(archive, name, old, Archive::Value());
  const Model from_old = Model::from_bytes(frame(old.encode()));
  EXPECT_THROW(from_old.begin_shift_check(), Error);
  EXPECT_THROW(Model::fit(small_table(500), given_options(), {}, TableView("none", 0)).begin_shift_check(), Error);
}

TEST(ShiftCheck, DamagedSummariesAreRefused) {
  const std::string bytes = Model::fit(small_table(500), given_options()).to_bytes();
  const auto refuses = [&](const std::string& name, Archive::Value value) {
    Archive archive = Archive::decode(unframe(bytes));
    archive.put("calibration/inputs/" + name, std::move(value));
    EXPECT_THROW(Model::from_bytes(frame(archive.encode())), Error) << name;
  };
  const Archive archive = Archive::decode(unframe(bytes)).scope("calibration/inputs");
  using Numbers = std::vector<std::int64_t>;
  for (const char* name : {"absent", "points", "ranks", "counts"}) {
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
