#include <taut/data/kinds/column_names.hpp>

#include <taut/core/text.hpp>
#include <taut/data/column.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace taut {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// The words of a name in lower case: case and no for CASE_NO, "case no", caseNo and case.no1.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_letter = is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80;
    const bool begins = i > 0 && is_upper(c) && is_lower(name[i - 1]);
    if ((!is_letter || begins) && !words.back().empty()) words.emplace_back();
    if (is_letter) words.back() += lower_case(c);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <std::size_t count>
bool is_in(const std::array<std::string_view, count>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 5> numberings{"id", "no", "nr", "num", "number"};

}  // namespace

bool has_no_name(std::string_view name) { return is_positional_name(name) || name.starts_with("Unnamed: "); }

bool is_called_id(std::string_view name) {
  const std::string word = lower_case(name);
  if (word == "id" || word == "uuid" || word == "guid" || word == "index" || word == "rownames") return true;
  if (word.size() < 3 || !word.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  const bool camel = name.ends_with("Id") || name.ends_with("ID");
  return before == '_' || before == '-' || before == ' ' || before == '.' || (camel && before >= 'a' && before <= 'z');
}

bool is_called_record(std::string_view name) {
  constexpr std::array<std::string_view, 23> records{
      "case",   "obs",        "observation", "row",       "rec",     "record", "seq",    "sequence",
      "serial", "subject",    "subj",        "patient",   "pat",     "person", "member", "participant",
      "sample", "individual", "respondent",  "household", "student", "item",   "unit"};
  if (name == "X" || is_called_id(name)) return true;  // X is the name that R gives to a column without one
  const auto words = words_of(name);
  if (words.empty()) return false;
  const std::string& last = words.back();
  if (is_in(records, last) || last == "key" || last == "idx" || last == "index" || last == "uid") return true;
  if (is_in(numberings, last)) return true;
  // Two words in one: caseno, patnr, idnum, seqno.
  return std::any_of(numberings.begin(), numberings.end(), [&](std::string_view numbering) {
    const std::string_view word = last;
    return (word.ends_with(numbering) && (is_in(records, word.substr(0, word.size() - numbering.size())) ||
                                          is_in(numberings, word.substr(0, word.size() - numbering.size())))) ||
           (word.starts_with(numbering) && is_in(records, word.substr(numbering.size())));
  });
}

bool is_called_key(std::string_view name) {
  constexpr std::array<std::string_view, 14> keys{"id",  "no",   "nr",       "code",       "key", "zip", "zipcode",
                                                  "plz", "fips", "postcode", "postalcode", "sku", "uid", "pid"};
  // Words that only look as if they ended in id.
  constexpr std::array<std::string_view, 13> others{"paid",  "acid",  "grid", "humid",  "solid",  "fluid", "liquid",
                                                    "valid", "rapid", "bid",  "unpaid", "hybrid", "covid"};
  const auto words = words_of(name);
  if (words.empty()) return false;
  const std::string& last = words.back();
  if (is_in(keys, last) || (words.front() == "id" && words.size() > 1)) return true;
  return last.size() >= 4 && (last.ends_with("id") || last.ends_with("code")) && !is_in(others, last);
}

bool is_called_time(std::string_view name) {
  constexpr std::array<std::string_view, 17> times{"year", "years",  "yr",    "yrs",  "time",  "t",    "date",  "day",  "days",
                                                   "age",  "period", "trend", "wave", "epoch", "week", "weeks", "round"};
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_in(times, word); });
}

}  // namespace taut
