// Wrong names of columns are found before anything is trained.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <tests/support/files.hpp>

#include <functional>

namespace taut {
namespace {

Table rows_with_groups(Index rows) {
  Random random(1);
  Table table{"rows",
              {{"x"}, {.name = "colour", .kind = ColumnKind::category, .categories = {"red", "blue"}}, {"y"}},
              Matrix(rows, 3),
              {}};
  for (Index row = 0; row < rows; ++row) {
    const double x = random.normal();
    table.values.row(row) << x, static_cast<double>(row % 2), 2 * x + random.normal();
  }
  return table;
}

// The message of a fit with wrong names, which must end before any stage of training is reported.
std::string refused(const std::function<void(FitOptions&)>& change, const std::optional<TableView>& calibration = {}) {
  FitOptions options;
  options.target = "y";
  change(options);
  std::vector<std::string> stages;
  ExecutionContext context;
  context.progress = [&](std::string_view stage, double) { stages.emplace_back(stage); };
  const std::string words = complaint([&] { Regressor::fit(rows_with_groups(500), options, context, calibration); });
  EXPECT_TRUE(stages.empty()) << words << ": " << stages.front();
  return words;
}

TEST(NamedColumns, AreCheckedBeforeTraining) {
  const std::string guess = "'color' (did you mean 'colour'?)";
  expect_words(refused([](FitOptions& options) { options.by = {"color"}; }), {guess, "--by"});
  expect_words(refused([](FitOptions& options) { options.by = {"color:5"}; }), {guess, "--by"});
  expect_words(refused([](FitOptions& options) { options.keep_together = "color"; }), {guess, "--keep-together"});
  expect_words(refused([](FitOptions& options) { options.order_by = "color"; }), {guess, "--order-by"});
  expect_words(refused([](FitOptions& options) { options.drop = {"color"}; }), {guess, "--drop"});
  expect_words(refused([](FitOptions& options) { options.ordered = {"color:red<blue"}; }), {guess, "--ordered"});
  expect_words(refused([](FitOptions& options) { options.by = {"colour:5"}; }), {"holds categories"});
  expect_words(refused([](FitOptions& options) {
                 options.by = {"color", "z"};
                 options.categorical = {"xx"};
               }),
               {guess, "'z', which --by names", "'xx'", "which --categorical names", "the columns are: x, colour, y"});
}

TEST(NamedColumns, OfCalibrationRowsAreCheckedBeforeTraining) {
  const Table rows = rows_with_groups(100);
  const TableView all(rows);
  const auto nothing = [](FitOptions&) {};
  const auto by_colour = [](FitOptions& options) { options.by = {"colour"}; };
  expect_words(refused(nothing, all.matched({{"x"}, {"y"}})), {"there is no column 'colour'"});
  expect_words(refused(by_colour, all.matched({{"x"}, {"y"}})), {"'colour'", "--by"});
  expect_words(refused(nothing, all.matched({{"x"}, rows.columns[1]})), {"'y'"});
  Table gaps = rows;
  gaps.values(7, 2) = missing;
  expect_words(refused(nothing, TableView(gaps)), {"row 8", "--skip-missing-target"});
}

// A control: a fit with right names reports stages, also with calibration rows that lack a column that is left out.
TEST(NamedColumns, OfAColumnThatIsLeftOutMayBeAbsentFromCalibrationRows) {
  Table table = rows_with_groups(500);
  table.columns.push_back({"same"});
  table.values.conservativeResize(Eigen::NoChange, 4);
  table.values.col(3).setConstant(5);
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.localizer = "none";
  bool any = false;
  ExecutionContext context;
  context.progress = [&](std::string_view, double) { any = true; };
  const Table calibration = rows_with_groups(100);
  EXPECT_EQ(Regressor::fit(table, options, context, TableView(calibration)).calibration_rows(), 100);
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace taut
