// Random operations on small data for a while: what should fail fails with an Error, nothing else fails, and memory does not
// grow.
//   soak SECONDS [SEED]
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/random.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/predict/predictor.hpp>
#include <tests/support/small_models.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include <malloc.h>
#include <unistd.h>

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::exit(1);
}

Index resident_kilobytes() {
  const std::string words = read_whole_file("/proc/self/statm");
  return std::strtol(words.c_str() + words.find(' '), nullptr, 10) * (::sysconf(_SC_PAGESIZE) / 1024);
}

// A small number of operations that repeat, so that the maximum memory is reached early.
class Soak {
 public:
  explicit Soak(std::uint64_t seed) : random_(seed) {
    std::string name = (std::filesystem::temp_directory_path() / "taut_soak_XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be had");
    folder_ = name;
    fit();
  }
  ~Soak() { std::filesystem::remove_all(folder_); }
  Soak(const Soak&) = delete;
  Soak& operator=(const Soak&) = delete;

  void step() {
    constexpr std::array operations = {&Soak::fit,  &Soak::calibrate, &Soak::predict,     &Soak::predict_rows, &Soak::evaluate,
                                       &Soak::save, &Soak::read_csv,  &Soak::bad_options, &Soak::bad_model,    &Soak::bad_csv};
    (this->*pick(operations))();
    ++steps_;
  }
  Index steps() const { return steps_; }

 private:
  template <class Items>
  typename Items::value_type pick(const Items& items) {
    return items[static_cast<std::size_t>(random_.below(std::ssize(items)))];
  }
  Table some_table() {
    return testing::small_table(100 + 50 * random_.below(4), 1 + static_cast<std::uint64_t>(random_.below(4)));
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  template <class Action>
  void fails(const std::string& what, Action action) {
    try {
      action();
    } catch (const Error& error) {
      require(!std::string(error.what()).empty(), what + " is refused with a message");
      return;
    }
    require(false, what + " is refused");
  }

  void fit() {
    const bool given = random_.below(3) == 0;
    FitOptions options = given ? testing::given_options() : testing::quick_options();
    options.predictor = pick(predictors().entries()).example;
    options.localizer = pick(localizers().names());
    options.transform = pick(std::vector<std::string>{"exp", "exp", "linear", "erc", "shift", "spline", "fixed"});
    options.sides = pick(std::vector<std::string>{"one", "two", "auto"});
    options.effort = "quick";
    options.hidden = {4, 4};
    options.epochs = 3;
    options.seed = random_.below(5);
    model_ = Regressor::fit(some_table(), options, {.threads = 1 + static_cast<int>(random_.below(3))});
  }
  void calibrate() { model_->calibrate(some_table()); }
  void predict() {
    const Predicted predicted = model_->predict_interval(some_table(), std::vector<double>{0.1, 0.9});
    for (std::size_t i = 0; i < predicted.prediction.size(); ++i) {
      const Interval narrow = predicted.at(static_cast<Index>(i), 0), wide = predicted.at(static_cast<Index>(i), 1);
      require(narrow.empty() || (wide.lower <= narrow.lower && narrow.upper <= wide.upper), "intervals are nested");
    }
  }
  void predict_rows() {
    const Table table = some_table();
    const TableView inputs = TableView(table).matched(model_->prediction_schema());
    std::vector<double> row(model_->prediction_schema().size());
    std::array<Interval, 1> out;
    for (Index i = 0; i < 50; ++i) {
      inputs.copy_row(i, row.data());
      model_->predict_row(row, std::array{0.9}, out);
    }
  }
  void evaluate() { require(model_->evaluate(some_table(), std::vector<double>{0.9}).rows >= 100, "all rows are evaluated"); }
  void save() {
    model_->save(path("m.taut"));
    const std::string before = model_->to_bytes();
    model_ = Regressor::load(path("m.taut"));
    require(model_->to_bytes() == before, "a model read back has the same bytes");
  }
  void read_csv() {
    const Table table = some_table();
    OutputFile file(path("t.csv"));
    CsvWriter writer(file);
    write_table(table, writer);
    writer.finish();
    file.commit();
    require(read_table(path("t.csv")).values == table.values, "a table read back has the same bits");
  }
  void bad_options() {
    FitOptions options = testing::quick_options();
    options.transform = "none such";
    fails("a name that no list has", [&] { Regressor::fit(some_table(), options); });
    options = testing::quick_options();
    options.target = "none such";
    fails("a column that is not there", [&] { Regressor::fit(some_table(), options); });
  }
  void bad_model() {
    std::string bytes = model_->to_bytes();
    bytes[static_cast<std::size_t>(random_.below(std::ssize(bytes)))] ^= 1;
    fails("a flipped bit", [&] { Regressor::from_bytes(bytes); });
    fails("a cut file", [&] { Regressor::from_bytes(std::string_view(bytes).substr(0, bytes.size() / 2)); });
  }
  void bad_csv() {
    OutputFile file(path("bad.csv"));
    file.write(pick(std::vector<std::string>{"", "x,y\n1\n", "x,y\n1,\"2\n", "x,y\n"}));
    file.commit();
    fails("a bad table", [&] { read_table(path("bad.csv")); });
    fails("no file", [&] { read_table(path("none.csv")); });
  }

  Random random_;
  std::string folder_;
  std::optional<Regressor> model_;
  Index steps_ = 0;
};

// Compares the maximum memory of the last third of the time with that of the second; the first third is the warm-up.
int run(double seconds, std::uint64_t seed) {
  Soak soak(seed);
  std::array<Index, 3> maximum{};
  const auto begin = Clock::now();
  for (double done = 0; done < 1; done = std::chrono::duration<double>(Clock::now() - begin).count() / seconds) {
    soak.step();
    Index& now = maximum[static_cast<std::size_t>(3 * done)];
    now = std::max(now, resident_kilobytes());
  }
  std::printf("%td operations in %g s; maximum memory in each third of the time: %td, %td, %td kB\n", soak.steps(), seconds,
              maximum[0], maximum[1], maximum[2]);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers hold memory back
  constexpr Index slack = 4096;                                      // a rare sequence of operations may add this
  require(maximum[2] <= maximum[1] + slack && maximum[2] <= 256 * 1024, "memory does not grow");
#endif
  return 0;
}

}  // namespace
}  // namespace taut

int main(int count, char** arguments) {
  // One arena for all threads: otherwise a varying number of arenas would look like growth.
  ::mallopt(M_ARENA_MAX, 1);
  return taut::run(count > 1 ? std::atof(arguments[1]) : 12,
                   count > 2 ? static_cast<std::uint64_t>(std::atoll(arguments[2])) : 1);
}
