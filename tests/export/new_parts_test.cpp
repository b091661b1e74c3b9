// A new part that describes itself in its own file can be exported as C and as ONNX; one that does not is named in the error.
#include <taut/export/exported.hpp>
#include <taut/task/number/number_task.hpp>
#include <tests/export/toy_parts.hpp>
#include <tests/support/files.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

namespace taut::testing {

namespace {

const std::vector<double> levels = {0.5, 0.9};
const std::vector<std::string> level_texts = {"0.5", "0.9"};
const ExecutionContext one_thread{.threads = 1};

constexpr const char* call = R"C(
#include <stdio.h>
void predict(const double* cells, double* out);
int main(void) {
  double cells[2], out[5];
  while (fread(cells, sizeof cells, 1, stdin) == 1) {
    predict(cells, out);
    fwrite(out, sizeof out, 1, stdout);
  }
  return 0;
}
)C";

// y is nonlinear in x0, and its spread depends on x1.
Table rows_of(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.columns = {{"x0"}, {"x1"}, {"y"}};
  table.values.resize(rows, 3);
  for (Index row = 0; row < rows; ++row) {
    const double x0 = 2 * random.normal(), x1 = random.uniform();
    table.values.row(row) << x0, x1, 3 * std::sqrt(1 + x0 * x0) + std::sin(8 * x1) + (0.1 + 4 * x1 * x1) * random.normal();
  }
  return table;
}

Regressor fitted(const std::string& predictor, const std::string& transform) {
  add_once<ToyPredictor>(predictors(), "toy");
  add_once<ToyLink>(predictors(), "toy-link");
  add_once<SilentPredictor>(predictors(), "silent");
  add_once<ToyTransform>(transforms(), "toy");
  add_once<SilentTransform>(transforms(), "silent");
  FitOptions options;
  options.target = "y";
  options.predictor = predictor;
  options.transform = transform;
  options.effort = "quick";
  return Regressor::fit(rows_of(800, 1), options, one_thread);
}

std::vector<double> read_doubles(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

class NewParts : public ::testing::Test {
 protected:
  Folder folder;
  Table fresh = rows_of(300, 2);

  void SetUp() override {
    for (Index row = 0; row < 20; ++row) fresh.values(row, 1) = missing;  // the toy does not use it
    const Matrix cells = fresh.values.leftCols(2);
    folder.write("cells", {reinterpret_cast<const char*>(cells.data()), sizeof(double) * static_cast<std::size_t>(cells.size())});
  }

  bool run(const std::string& command) const { return std::system(("cd " + folder.path("") + " && " + command).c_str()) == 0; }

  // f and both ends of each level, row by row; empty if there is no compiler.
  std::vector<double> by_c(const Regressor& model) const {
    folder.write("m.c", c_source(exported(model, levels, level_texts), "predict"));
    folder.write("call.c", call);
    const char* named = std::getenv("CC");
    const std::string compiler = named != nullptr ? named : "cc";
    if (!run("command -v " + compiler + " > /dev/null")) return {};
    EXPECT_TRUE(run(compiler + " -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror m.c call.c -o m -lm && ./m < cells > out"));
    return read_doubles(folder.path("out"));
  }

  // The same from ONNX; empty if there is no onnxruntime.
  std::vector<double> by_onnx(const Regressor& model) const {
    folder.write("m.onnx", onnx_bytes(exported(model, levels, level_texts)));
    const char* python = std::getenv("TAUT_ONNX_PYTHON");
    if (python == nullptr) return {};  // ctest sets it
    const std::string script = std::string(TAUT_TESTS) + "/export/run_onnx.py";
    if (!run(std::string("'") + python + "' -c 'import onnxruntime' 2> /dev/null")) {
      std::cout << "LEFT OUT: " << python << " has no onnxruntime to run the graph\n";
      return {};
    }
    EXPECT_TRUE(run(std::string("'") + python + "' '" + script + "' m.onnx cells 2 out"));
    return read_doubles(folder.path("out"));
  }

  // Intervals contain those of the library and are hardly wider; with `exact` they have the same bits.
  void expect_same(const Regressor& model, const std::vector<double>& found, bool exact) const {
    if (found.empty()) return;
    const Predicted wanted = model.predict_interval(fresh, levels, one_thread);
    const std::size_t outputs = 1 + 2 * levels.size();
    ASSERT_EQ(found.size(), outputs * wanted.prediction.size());
    for (std::size_t row = 0; row < wanted.prediction.size(); ++row) {
      const double* own = found.data() + row * outputs;
      EXPECT_NEAR(own[0], wanted.prediction[row], exact ? 0 : 1e-4);
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const Interval ends = wanted.at(static_cast<Index>(row), level);
        const double lower = own[1 + 2 * level], upper = own[2 + 2 * level],
                     wider = exact ? 0 : 1e-3 * (1 + ends.upper - ends.lower);
        EXPECT_TRUE(lower <= ends.lower && lower >= ends.lower - wider) << row << ": " << lower << " " << ends.lower;
        EXPECT_TRUE(upper >= ends.upper && upper <= ends.upper + wider) << row << ": " << upper << " " << ends.upper;
      }
    }
  }
};

// The tests whose names end in Slow compile and run them.
TEST_F(NewParts, AreWrittenAsCAndAsAGraph) {
  const Regressor model = fitted("toy", "toy");
  const auto leaving = exported(model, levels, level_texts);
  const std::string source = c_source(leaving, "predict");
  EXPECT_NE(source.find("\nvoid predict(const double* cells, double* out) {\n"), std::string::npos);
  EXPECT_EQ(c_source(exported(Regressor::from_bytes(model.to_bytes()), levels, level_texts), "predict"), source);
  EXPECT_GT(onnx_bytes(leaving).size(), 100U);
}

TEST_F(NewParts, AreExportedAloneSlow) {
  const Regressor model = fitted("toy", "toy");
  ASSERT_EQ(model.transform_name(), "toy");
  expect_same(model, by_c(model), true);
  expect_same(model, by_onnx(model), false);
}

// The library computes networks in packets, the export by a formula.
TEST_F(NewParts, AreExportedAsFormulasOfNetworksSlow) {
  const Regressor model = fitted("toy-link", "curve");
  expect_same(model, by_c(model), false);
  expect_same(model, by_onnx(model), false);
}

TEST_F(NewParts, AreExportedInAStackSlow) {
  const Regressor model = fitted("stack", "curve");
  const auto& parts = number_task(model.parts()).predictor.parts();
  ASSERT_GT(parts.size(), 1u);
  ASSERT_TRUE(std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.predictor.name() == "toy"; }));
  expect_same(model, by_c(model), true);
  expect_same(model, by_onnx(model), false);
}

TEST_F(NewParts, AreNamedWhereTheyDoNotDescribeThemselves) {
  for (const auto& [predictor, transform] : {std::pair("silent", "toy"), std::pair("toy", "silent")}) {
    const Regressor model = fitted(predictor, transform);
    ASSERT_EQ(model.transform_name(), transform);
    try {
      exported(model, levels, level_texts);
      FAIL() << predictor << " " << transform;
    } catch (const Error& error) {
      const std::string words = error.what();
      EXPECT_NE(words.find("'silent' has no export"), std::string::npos) << words;
      EXPECT_NE(words.find("toy"), std::string::npos) << words;  // the part that can be exported
    }
  }
}

}  // namespace

}  // namespace taut::testing
