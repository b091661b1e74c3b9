#include <taut/foreign/read.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/foreign/document.hpp>

namespace taut {

namespace {

constexpr const char* supported_files =
    "supported are XGBoost's JSON and UBJSON (model.json, model.ubj), LightGBM's text (model.txt) and CatBoost's JSON "
    "(save_model(path, format='json')); for other models give a column of predictions (--prediction COL)";

ForeignModel read_json(std::string_view bytes) {
  const Document document = Document::of_json(bytes);
  if (document.find("learner") != nullptr) return read_xgboost(document);
  if (document.find("features_info") != nullptr) return read_catboost(document);
  if (document.find("tree_info") != nullptr)
    throw Error("LightGBM's dump_model() leaves out what is needed; write booster.save_model('model.txt') and give that file");
  throw Error(std::string("this is JSON, but not a model of a supported library; ") + supported_files);
}

ForeignModel read_any(std::string_view bytes) {
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) throw Error(std::string("the file is empty; ") + supported_files);
  if (bytes.starts_with("{L") || bytes.starts_with("{U") || bytes.starts_with("{l") || bytes.starts_with("{i"))
    return read_xgboost(Document::of_ubjson(bytes));
  if (bytes[first] == '{') return read_json(bytes);
  if (bytes.substr(first).starts_with("tree\n") || bytes.substr(first).starts_with("tree\r")) return read_lightgbm(bytes);
  if (bytes.starts_with("CBM1"))
    throw Error("this is CatBoost's binary format; write it as JSON: model.save_model('model.json', format='json')");
  if (bytes.starts_with("\x80"))
    throw Error("this is a pickle, which may run any code and is never opened; write the model with its own save_model");
  if (bytes.starts_with("\x89TAUT"))
    throw Error("this is a model of Taut, which needs no --model: 'taut predict' and 'taut calibrate' take it as it is");
  throw Error(std::string("this is not a model of a supported library; ") + supported_files);
}

}  // namespace

void refuse_objective(const std::string& library, const std::string& objective, const std::string& why) {
  throw Error(format_text("{}'s objective '{}' {}", library, objective, why));
}

std::vector<std::uint32_t> set_of(const std::vector<std::int64_t>& categories) {
  constexpr std::int64_t maximum = 1 << 24;  // XGBoost's own limit
  std::vector<std::uint32_t> words;
  for (const std::int64_t category : categories) {
    if (category < 0 || category >= maximum)
      throw Error(format_text("a split has the category {}: the file is damaged", category));
    const auto word = static_cast<std::size_t>(category / 32);
    if (word >= words.size()) words.resize(word + 1);
    words[word] |= std::uint32_t{1} << (category % 32);
  }
  return words;
}

ForeignModel read_foreign(std::string_view bytes, const std::string& source) {
  try {
    ForeignModel model = read_any(bytes);
    model.source = source;
    model.settle();
    return model;
  } catch (const Error& error) {
    throw Error(format_text("{}: {}", source, error.what()));
  }
}

ForeignModel read_foreign_file(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  const auto slash = path.find_last_of('/');
  return read_foreign(bytes, slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace taut
