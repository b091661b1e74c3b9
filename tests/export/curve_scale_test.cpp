// The trees of a curve split by log s. Graphs must take the library's side of every threshold, also of those that equal log s.
#include <taut/export/exported.hpp>
#include <taut/model/file.hpp>
#include <taut/task/number/number_task.hpp>
#include <tests/support/files.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>

namespace taut::testing {

namespace {

const std::vector<double> curve_levels = {0.5, 0.9, 0.99};
const ExecutionContext curve_thread{.threads = 1};

// Few distinct values of x0 and x1, on which the spread depends.
Table spread_rows(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.columns = {{"x0"}, {"x1"}, {"y"}};
  table.values.resize(rows, 3);
  for (Index row = 0; row < rows; ++row) {
    const auto x0 = static_cast<double>(random.below(40)), x1 = static_cast<double>(random.below(40));
    table.values.row(row) << x0, x1, x0 + (1 + x0 * std::abs(std::sin(x1))) * random.normal();
  }
  return table;
}

// The same model with each threshold on log s, the last input of the curve, at the log s of some row, and with larger leaves
// there.
Regressor with_thresholds_at_rows(const Regressor& model, const Table& rows) {
  const NumberTask& task = number_task(model.parts());
  Table x{.source = "x", .columns = {{"x0"}, {"x1"}}, .values = rows.values.leftCols(2), .lines = {}};
  const Matrix u = task.score.log_scales(task.score.params_of_encoded(task.score.encoder().encode(x), {}, 1));
  Archive file = Archive::decode(unframe(model.to_bytes()));
  Index row = 0, changed = 0;
  for (int member = 0; file.has_scope("curve/member" + std::to_string(member)); ++member) {
    Archive trees = file.scope("curve/member" + std::to_string(member) + "/trees");
    const auto features = trees.get<std::vector<std::int32_t>>("features");
    auto values = trees.get<std::vector<float>>("values");
    for (std::size_t i = 0; i < values.size(); ++i)
      if (features[i] == 2) {
        values[i] = static_cast<float>(u(row++ % u.rows(), 0));
        ++changed;
      }
    trees.put("values", values);
  }
  EXPECT_GT(changed, 50);
  return Regressor::from_bytes(frame(file.encode()));
}

// A model whose curve splits at the log s of its rows, and these rows.
class CurveScale : public ::testing::Test {
 protected:
  void SetUp() override {
    FitOptions options;
    options.target = "y";
    options.predictor = "linear";
    options.transform = "curve";
    options.effort = "quick";
    options.see_prediction = "no";
    model = with_thresholds_at_rows(Regressor::fit(spread_rows(500, 1), options, curve_thread), rows);
    const Matrix cells = rows.values.leftCols(2);
    folder.write("cells", {reinterpret_cast<const char*>(cells.data()), sizeof(double) * static_cast<std::size_t>(cells.size())});
  }

  bool run(const std::string& command) const { return std::system(("cd " + folder.path("") + " && " + command).c_str()) == 0; }
  Exported leaving() const { return exported(*model, curve_levels, {"0.5", "0.9", "0.99"}); }

  // The ends in the file "out" contain those of the library, and are hardly wider; with `exact` they are the same.
  void expect_contained(bool exact) const {
    std::ifstream file(folder.path("out"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<double> found(bytes.size() / sizeof(double));
    std::memcpy(found.data(), bytes.data(), found.size() * sizeof(double));
    const Predicted wanted = model->predict_interval(rows, curve_levels, curve_thread);
    const std::size_t outputs = 1 + 2 * curve_levels.size();
    ASSERT_EQ(found.size(), outputs * wanted.prediction.size());
    Index outside = 0, wide = 0;
    for (std::size_t row = 0; row < wanted.prediction.size(); ++row)
      for (std::size_t level = 0; level < curve_levels.size(); ++level) {
        const Interval ends = wanted.at(static_cast<Index>(row), level);
        const double lower = found[row * outputs + 1 + 2 * level], upper = found[row * outputs + 2 + 2 * level];
        const double width = ends.upper - ends.lower;
        outside += lower > ends.lower || upper < ends.upper ? 1 : 0;
        wide += upper - lower > (exact ? width : 1.001 * width + 0.001) ? 1 : 0;
      }
    EXPECT_EQ(outside, 0);
    EXPECT_EQ(wide, 0);
  }

  Folder folder;
  Table rows = spread_rows(1600, 2);
  std::optional<Regressor> model;
};

TEST_F(CurveScale, GraphsTakeTheLibrarysSideOfThresholds) {
  const char* python = std::getenv("TAUT_ONNX_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "ctest sets TAUT_ONNX_PYTHON";
  const std::string program = std::string("'") + python + "' ";
  if (!run(program + "-c 'import onnxruntime' 2> /dev/null")) GTEST_SKIP() << "LEFT OUT: there is no onnxruntime";
  folder.write("m.onnx", onnx_bytes(leaving()));
  ASSERT_TRUE(run(program + "'" + TAUT_TESTS + "/export/run_onnx.py' m.onnx cells 2 out"));
  expect_contained(false);
}

TEST_F(CurveScale, CTakesTheLibrarysSideOfThresholdsSlow) {
  const char* named = std::getenv("CC");
  const std::string compiler = named != nullptr ? named : "cc";
  if (!run("command -v " + compiler + " > /dev/null")) GTEST_SKIP() << "LEFT OUT: there is no C compiler";
  folder.write("m.c", c_source(leaving(), "predict"));
  folder.write("call.c",
               "#include <stdio.h>\nvoid predict(const double* cells, double* out);\nint main(void) {\n  double cells[2], "
               "out[7];\n  while (fread(cells, sizeof cells, 1, stdin) == 1) {\n    predict(cells, out);\n    fwrite(out, sizeof "
               "out, 1, stdout);\n  }\n  return 0;\n}\n");
  ASSERT_TRUE(run(compiler + " -std=c99 -O2 m.c call.c -o m -lm && ./m < cells > out"));
  expect_contained(true);
}

}  // namespace

}  // namespace taut::testing
