// Whole numbers that repeat: out-of-fold predictions of training rows decide whether they are numbers or categories.
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/model/model.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/files.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

constexpr Index schools = 24, rows_per_school = 15;

// Columns schoolid, rooms, x, y. The effect of a school says nothing about the school with the next number; the effect of rooms
// is smooth.
Table school_rows(double effect, std::uint64_t seed = 1) {
  const Index rows = schools * rows_per_school;
  Table table{"t", {{"schoolid"}, {"rooms"}, {"x"}, {"y"}}, Matrix(rows, 4), {}};
  Random effects(7), random(seed);
  std::vector<double> of_school;
  for (Index i = 0; i < schools; ++i) of_school.push_back(effects.normal());
  for (Index row = 0; row < rows; ++row) {
    const Index school = random.below(schools), rooms = random.below(12);
    const double x = random.normal();
    table.values.row(row) << static_cast<double>(1001 + school), static_cast<double>(rooms), x,
        effect * of_school[static_cast<std::size_t>(school)] + 0.3 * static_cast<double>(rooms) + x + 0.5 * random.normal();
  }
  return table;
}

FitOptions options_for_schools() {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.localizer = "none";
  return options;
}

ColumnKind kind_of(const Regressor& model, const std::string& name) {
  const auto& schema = model.prediction_schema();
  return schema[static_cast<std::size_t>(find_column(schema, name).value())].kind;
}

std::string note_on(const Regressor& model, const std::string& name) {
  for (const ColumnNote& note : model.record().columns)
    if (note.column == name) return note.words;
  return {};
}

TEST(RepeatedNumbers, IdsBecomeCategoriesAndMeasurementsStayNumbers) {
  const Regressor model = Regressor::fit(school_rows(2), options_for_schools());
  EXPECT_EQ(kind_of(model, "schoolid"), ColumnKind::category);
  EXPECT_EQ(kind_of(model, "rooms"), ColumnKind::number);
  expect_words(note_on(model, "schoolid"), {"24 values", "--numeric 'schoolid'", "%"});
  EXPECT_EQ(note_on(model, "rooms"), "");
}

TEST(RepeatedNumbers, WithoutAnEffectIdsStayNumbers) {
  const Regressor model = Regressor::fit(school_rows(0), options_for_schools());
  EXPECT_EQ(kind_of(model, "schoolid"), ColumnKind::number);
  EXPECT_EQ(note_on(model, "schoolid"), "");
}

std::string messages_of(const Table& table, const FitOptions& options) {
  std::string messages;
  ExecutionContext context{.threads = 1};
  context.say = [&](std::string_view sentence) { messages += std::string(sentence) + "\n"; };
  Regressor::fit(table, options, context);
  return messages;
}

TEST(RepeatedNumbers, OneLineNamesTheOptions) {
  const auto lines_on_keys = [](const Table& table) {
    std::vector<std::string> lines;
    for (const auto& line : split_text(messages_of(table, options_for_schools()), '\n'))
      if (line.find("--keep-together 'schoolid'") != std::string::npos) lines.push_back(line);
    return lines;
  };
  const auto chosen = lines_on_keys(school_rows(2)), kept = lines_on_keys(school_rows(0));
  ASSERT_EQ(chosen.size(), 1U);
  expect_words(chosen[0], {"'schoolid' are used as ids", "--numeric 'schoolid'"});
  ASSERT_EQ(kept.size(), 1U);
  expect_words(kept[0], {"'schoolid' is named like an id", "--categorical 'schoolid'"});
}

// A word among the training rows that is missing among numbers would be a category.
TEST(RepeatedNumbers, ColumnsWithOtherCellsStayNumbers) {
  Table table = school_rows(2);
  Column& column = table.columns[0];
  column = {"schoolid", ColumnKind::category, {}, true};
  for (Index school = 0; school < schools; ++school) column.categories.push_back(std::to_string(1001 + school));
  for (Index row = 0; row < table.rows(); ++row) table.values(row, 0) -= 1001;
  EXPECT_EQ(kind_of(Regressor::fit(table, options_for_schools()), "schoolid"), ColumnKind::category) << "texts of numbers";
  column.categories.emplace_back("n.k.");
  for (Index row = 0; row < table.rows(); row += 60) table.values(row, 0) = static_cast<double>(schools);
  EXPECT_EQ(kind_of(Regressor::fit(table, options_for_schools()), "schoolid"), ColumnKind::number);
}

TEST(RepeatedNumbers, TheUserDecides) {
  FitOptions options = options_for_schools();
  options.numeric = {"schoolid"};
  const Regressor declared = Regressor::fit(school_rows(2), options);
  EXPECT_EQ(kind_of(declared, "schoolid"), ColumnKind::number);
  EXPECT_EQ(note_on(declared, "schoolid"), "");
  options = options_for_schools();
  options.by = {"schoolid:3"};
  EXPECT_EQ(kind_of(Regressor::fit(school_rows(2), options), "schoolid"), ColumnKind::number) << "groups of its numbers";
  options.by.clear();
  options.split = "cv+:3";  // whose models must agree on the kinds of columns
  EXPECT_EQ(kind_of(Regressor::fit(school_rows(2), options), "schoolid"), ColumnKind::number);
}

TEST(RepeatedNumbers, SameBitsForAnyNumberOfThreads) {
  const auto bytes = [](int threads) {
    return Regressor::fit(school_rows(2), options_for_schools(), ExecutionContext{.threads = threads}).to_bytes();
  };
  EXPECT_TRUE(bytes(1) == bytes(3));
}

// Whatever the calibration rows hold, the kinds of columns and their notes are the same.
TEST(RepeatedNumbers, CalibrationRowsDecideNothing) {
  const FitOptions options = options_for_schools();
  for (const double effect : {0.0, 2.0}) {
    const Table table = school_rows(effect);
    const Regressor before = Regressor::fit(table, options);
    Table changed = table;
    for (const Index row : plan_rows(table.rows(), options, false, false, "t").calibration) {
      changed.values(row, 0) = static_cast<double>(row % 5);
      changed.values(row, 3) = effect > 0 ? 0 : 100.0 * static_cast<double>(row % 5);
    }
    const Regressor after = Regressor::fit(changed, options);
    EXPECT_EQ(after.prediction_schema(), before.prediction_schema());
    EXPECT_EQ(after.predict(table), before.predict(table));
    EXPECT_EQ(note_on(after, "schoolid"), note_on(before, "schoolid"));
  }
}

// Numbers, texts of numbers, and other spellings of the same numbers.
TEST(RepeatedNumbers, NewRowsFindTheirCategoryByValue) {
  const Regressor model = Regressor::fit(school_rows(2), options_for_schools());
  const Table numbers{"n", {{"schoolid"}, {"rooms"}, {"x"}}, (Matrix(3, 3) << 1003, 4, 0, 1003, 4, 0, 5, 4, 0).finished(), {}};
  const Table texts{"t",
                    {{"schoolid", ColumnKind::category, {"1003", "1003.0", "none of them"}, true}, {"rooms"}, {"x"}},
                    (Matrix(3, 3) << 0, 4, 0, 1, 4, 0, 2, 4, 0).finished(),
                    {}};
  const auto expected = model.predict(numbers);
  EXPECT_EQ(model.predict(texts), expected);
  EXPECT_EQ(expected[0], expected[1]);
  EXPECT_NE(expected[0], expected[2]) << "an unknown school";
  const Model loaded = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(loaded.prediction_schema(), model.prediction_schema());
}

TEST(RepeatedNumbers, LabelsToo) {
  Table table = school_rows(3);
  for (Index row = 0; row < table.rows(); ++row) table.values(row, 3) = table.values(row, 3) > 2 ? 1 : 0;
  table.columns[3] = {"y", ColumnKind::category, {"low", "high"}};
  FitOptions options;
  options.target = "y";
  options.effort = "quick";
  options.localizer = "none";
  const Model model = Model::fit(table, options);
  const auto schema = model.prediction_schema();
  EXPECT_EQ(schema[0].kind, ColumnKind::category);
  EXPECT_EQ(schema[1].kind, ColumnKind::number);
}

// Row numbers are left out, unless rows are in time order or there is no other input.
TEST(RowNumbers, AreKeptWhereTheyAreTheTime) {
  Table table{"t", {{"obs"}, {"x"}, {"y"}}, Matrix(60, 3), {}};
  Random random(3);
  for (Index row = 0; row < 60; ++row)
    table.values.row(row) << static_cast<double>(row + 1), random.normal(), random.normal() + 0.1 * static_cast<double>(row);
  FitOptions options = options_for_schools();
  const auto names = [&] { return names_of(Regressor::fit(table, options).prediction_schema()); };
  EXPECT_EQ(names(), (std::vector<std::string>{"x"}));
  options.in_order = true;
  EXPECT_EQ(names(), (std::vector<std::string>{"obs", "x"}));
  options.in_order = false;
  options.order_by = "obs";
  EXPECT_EQ(names(), (std::vector<std::string>{"obs", "x"}));
  options.order_by.clear();
  options.drop = {"x"};
  EXPECT_EQ(names(), (std::vector<std::string>{"obs"}));
  options.drop.clear();
  options.split = "cv+:3";
  EXPECT_EQ(names(), (std::vector<std::string>{"x"})) << "models of parts of the rows agree";
}

TEST(FewRows, CvPlusIsRecommendedOnceWithItsPromise) {
  Table few = school_rows(0);
  few.values.conservativeResize(45, Eigen::NoChange);
  FitOptions options = options_for_schools();
  const std::string hint = messages_of(few, options);
  expect_words(hint, {"45 rows", "--split cv+", "0.73"});
  EXPECT_EQ(hint.find("cv+"), hint.rfind("cv+"));
  EXPECT_EQ(messages_of(school_rows(0), options).find("cv+"), std::string::npos) << "enough rows";
  for (const std::string split : {"cv+:3", "cross"}) {
    options.split = split;
    EXPECT_EQ(messages_of(few, options).find("--split cv+"), std::string::npos) << split;
  }
  options.split.clear();
  options.in_order = true;
  EXPECT_EQ(messages_of(few, options).find("cv+"), std::string::npos) << "which cannot be combined with it";
}

}  // namespace
}  // namespace taut
