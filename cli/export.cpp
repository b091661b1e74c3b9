#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/question_options.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/export/exported.hpp>

namespace taut {

namespace {

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

class Export final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.option(
        {"--c", "FILE",
         "a C file without dependencies: one function that returns f and the ends of intervals, of each target of a box"},
        c_);
    arguments.option({"function", "NAME", "the name of that function"}, function_);
    arguments.option(
        {"onnx", "FILE", "a graph for any ONNX runtime, in floats; ends are moved outward by the rounding error of floats"},
        onnx_);
    arguments.option({"json", "FILE", "everything that the model file holds, as JSON"}, json_);
    levels_.add(arguments);
  }

  void run(Terminal& terminal) override {
    if (c_.empty() && onnx_.empty() && json_.empty())
      throw UsageError("name what to write: --c FILE, --onnx FILE or --json FILE");
    levels_.read();
    for (const auto* path : {&c_, &onnx_, &json_})
      if (!path->empty()) check_output(*path, {model_});
    check_outputs_differ({c_, onnx_, json_});
    const Model model = Model::load(model_);
    const std::string json = json_.empty() ? "" : json_of_file(model.to_bytes());
    if (!c_.empty() || !onnx_.empty()) {
      const Exported plain = exported(model, levels_.values(), levels_.texts());
      if (!c_.empty()) write_file(c_, c_source(plain, function_));
      if (!onnx_.empty()) write_file(onnx_, onnx_bytes(plain));
    }
    if (!json_.empty()) write_file(json_, json);
    for (const auto* path : {&c_, &onnx_, &json_})
      if (!path->empty() && *path != "-") terminal.say(*path + ": written");
  }

 private:
  std::string model_, c_, onnx_, json_, function_ = "taut_predict_row";
  LevelOptions levels_;
};

}  // namespace

Listed<Command> export_command() {
  return listed_command<Export>("export", "writes a model as C, ONNX or JSON, for places without Taut",
                                "taut export houses.taut --c houses.c --confidence 0.9,0.95");
}

}  // namespace taut
