#include <cli/command.hpp>
#include <taut/core/error.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/data/synthetic.hpp>

namespace taut {

namespace {

class Synth final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    std::string help =
        "y is a parabola in x plus noise that depends on x; columns x, x2 (its square) and y, without the paper's "
        "constant feature, which a table does not need;";
    for (const auto& set : synthetic_sets().entries()) help += " " + set.name + ": " + set.summary + ";";
    help.pop_back();
    arguments.positional("SET", help, set_);
    arguments.option({"rows", "N", "number of rows"}, rows_);
    arguments.option({"seed", "N", "random seed of the parabola, the inputs and the noise"}, seed_);
    arguments.flag({"truth", "", "adds the columns f, the true mean of y, and sigma, the true scale of its noise"}, truth_);
    arguments.option({"o,output", "FILE", "where the rows go, '-' for standard output"}, output_);
  }

  void run(Terminal&) override {
    const auto set = synthetic_sets().make(set_);
    if (rows_ < 1) throw UsageError("--rows must be at least 1, got " + std::to_string(rows_));
    if (seed_ < 0) throw UsageError("--seed must be at least 0, got " + std::to_string(seed_));
    OutputFile file(output_);
    CsvWriter writer(file);
    write_table(synthetic_table(*set, rows_, static_cast<std::uint64_t>(seed_), truth_), writer);
    writer.finish();
    file.commit();
  }

 private:
  std::string set_, output_ = "-";
  Index rows_ = 1000, seed_ = 0;
  bool truth_ = false;
};

}  // namespace

Listed<Command> synth_command() {
  return listed_command<Synth>("synth", "writes rows of one of the paper's synthetic sets",
                               "taut synth cos --rows 4000 --seed 1 -o data.csv");
}

}  // namespace taut
