#include <taut/data/csv/other_format.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <array>

namespace taut {

namespace {

using namespace std::string_view_literals;

// `pandas` is the call of pandas that reads the format, or else `command` writes CSV. FILE stands for the name of the file.
struct OtherFormat {
  std::string_view name;
  std::string_view pandas;
  std::string_view command;  // after a call of pandas: what it needs
};

constexpr OtherFormat excel{"an Excel workbook (.xlsx)", "read_excel(\"FILE\")", " (needs pandas and openpyxl)"};
constexpr OtherFormat old_excel{"an old Excel workbook (.xls)", "read_excel(\"FILE\")", " (needs pandas and xlrd)"};
constexpr OtherFormat open_document{"an OpenDocument spreadsheet (.ods)", "read_excel(\"FILE\")", " (needs pandas and odfpy)"};
constexpr OtherFormat json{"JSON", "read_json(\"FILE\")", " (needs pandas)"};
constexpr OtherFormat json_lines{"JSON lines", "read_json(\"FILE\", lines=True)", " (needs pandas)"};
constexpr OtherFormat html{"an HTML page", "read_html(\"FILE\")[0]",
                           " (needs pandas and lxml); if a download gave this page instead of a table, download the table again"};
constexpr OtherFormat xml{"XML", "read_xml(\"FILE\")", " (needs pandas and lxml)"};
constexpr OtherFormat pickle{"a pickle of Python", "read_pickle(\"FILE\")",
                             " (needs pandas; only for files that you trust: a pickle can run any program)"};
constexpr OtherFormat sas{"a data set of SAS", "read_sas(\"FILE\", format=\"sas7bdat\", encoding=\"infer\")", " (needs pandas)"};
constexpr OtherFormat sas_transport{"a data set of SAS (.xpt)", "read_sas(\"FILE\", format=\"xport\")", " (needs pandas)"};
constexpr OtherFormat stata{"a data set of Stata (.dta)", "read_stata(\"FILE\")", " (needs pandas)"};
constexpr OtherFormat spss{"a data set of SPSS (.sav)", "read_spss(\"FILE\")", " (needs pandas and pyreadstat)"};
constexpr OtherFormat hdf{"an HDF5 file", "read_hdf(\"FILE\")", " (needs pandas and tables)"};
constexpr OtherFormat orc{"an ORC file", "read_orc(\"FILE\")", " (needs pandas and pyarrow)"};
constexpr OtherFormat numpy{"an array of NumPy (.npy)", "DataFrame(numpy.load(\"FILE\"))", " (needs pandas)"};
constexpr OtherFormat arff{"an ARFF file of Weka", "DataFrame(scipy.io.arff.loadarff(\"FILE\")[0])",
                           " (needs pandas and scipy; texts are then written as b'text')"};
constexpr OtherFormat r_workspace{
    "a workspace of R (.RData, .rda)", "",
    "Rscript -e 'for (name in load(\"FILE\")) write.csv(get(name), paste0(name, \".csv\"), row.names = FALSE)'"};
constexpr OtherFormat r_object{"an object of R (.rds)", "",
                               "Rscript -e 'write.csv(readRDS(\"FILE\"), \"table.csv\", row.names = FALSE)'"};
constexpr OtherFormat sqlite{
    "an SQLite database", "",
    "sqlite3 -header -csv \"FILE\" 'select * from NAME' > table.csv; sqlite3 \"FILE\" .tables lists the names"};
constexpr OtherFormat matlab{"a file of MATLAB (.mat)", "", "writetable(NAME, \"table.csv\") in MATLAB"};
constexpr OtherFormat pdf{"a PDF document", "", "copy the table into a spreadsheet, and save that as CSV"};
constexpr OtherFormat zip{"a zip archive", "", "unzip -p \"FILE\" > table.csv"};
constexpr OtherFormat bzip{"a file compressed with bzip2", "", "bzip2 -dc \"FILE\" > table.csv"};
constexpr OtherFormat xz{"a file compressed with xz", "", "xz -dc \"FILE\" > table.csv"};
constexpr OtherFormat zstd{"a file compressed with zstd", "", "zstd -dc \"FILE\" > table.csv"};

std::string command_for(const OtherFormat& format, const std::string& file) {
  std::string command(format.command);
  if (!format.pandas.empty()) {
    const std::string_view library = format.pandas.substr(format.pandas.find('(') + 1);
    const std::string more = library.starts_with("numpy") ? ", numpy" : library.starts_with("scipy") ? ", scipy.io.arff" : "";
    command = format_text("python3 -c 'import pandas{}; pandas.{}.to_csv(\"table.csv\", index=False)'{}", more, format.pandas,
                          format.command);
  }
  constexpr std::string_view placeholder = "FILE";
  for (auto at = command.find(placeholder); at != std::string::npos; at = command.find(placeholder, at + file.size()))
    command.replace(at, placeholder.size(), file);
  return command;
}

struct FirstBytes {
  std::string_view bytes;
  const OtherFormat& format;
};

const std::array first_bytes_of_formats = {
    FirstBytes{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, old_excel},
    FirstBytes{"\x80\x02"sv, pickle},
    FirstBytes{"\x80\x03"sv, pickle},
    FirstBytes{"\x80\x04\x95"sv, pickle},
    FirstBytes{"\x80\x05\x95"sv, pickle},
    FirstBytes{"RDX2\n"sv, r_workspace},
    FirstBytes{"RDX3\n"sv, r_workspace},
    FirstBytes{"RDA2\n"sv, r_workspace},
    FirstBytes{"RDA3\n"sv, r_workspace},
    FirstBytes{"X\n\0\0\0\x02"sv, r_object},
    FirstBytes{"X\n\0\0\0\x03"sv, r_object},
    FirstBytes{"A\n2\n"sv, r_object},
    FirstBytes{"A\n3\n"sv, r_object},
    FirstBytes{"SQLite format 3\0"sv, sqlite},
    FirstBytes{"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60"sv, sas},
    FirstBytes{"HEADER RECORD*******LIB"sv, sas_transport},
    FirstBytes{"<stata_dta>"sv, stata},
    FirstBytes{"\x71\x01\x01\0"sv, stata},
    FirstBytes{"\x71\x02\x01\0"sv, stata},
    FirstBytes{"\x72\x01\x01\0"sv, stata},
    FirstBytes{"\x72\x02\x01\0"sv, stata},
    FirstBytes{"\x73\x01\x01\0"sv, stata},
    FirstBytes{"\x73\x02\x01\0"sv, stata},
    FirstBytes{"$FL2"sv, spss},
    FirstBytes{"$FL3"sv, spss},
    FirstBytes{"\x93NUMPY"sv, numpy},
    FirstBytes{"\x89HDF\r\n"sv, hdf},
    FirstBytes{"MATLAB 5.0 MAT-file"sv, matlab},
    FirstBytes{"ORC\x0A"sv, orc},
    FirstBytes{"%PDF-"sv, pdf},
    FirstBytes{"\xFD"
               "7zXZ\0"sv,
               xz},
    FirstBytes{"\x28\xB5\x2F\xFD"sv, zstd},
};

bool starts_with_word(std::string_view text, std::string_view word) { return lower_case(text.substr(0, word.size())) == word; }

// The first entry of the archive tells spreadsheets from other archives.
const OtherFormat& format_of_zip(std::string_view bytes) {
  constexpr std::size_t first_entries = 4096;
  const std::string_view start = bytes.substr(0, first_entries);
  const auto has = [&](std::string_view text) { return start.find(text) != std::string_view::npos; };
  if (has("opendocument.spreadsheet")) return open_document;
  return has("[Content_Types].xml") || has("xl/work") || has("xl/_rels") || has("docProps/") ? excel : zip;
}

// A CSV file may begin with a bracket too. JSON continues as no name of a column does.
const OtherFormat* format_of_json(std::string_view text) {
  const char open = text.front();
  const std::string_view inside = trim(text.substr(1));
  if (inside.empty()) return nullptr;
  if (open == '{') {
    if (inside.front() != '"' && inside.front() != '}') return nullptr;
    if (inside.front() == '"') {
      const auto end = inside.find('"', 1);
      if (end == std::string_view::npos || !trim(inside.substr(end + 1)).starts_with(':')) return nullptr;
    }
    const std::string_view line = trim(text.substr(0, text.find('\n')));
    return line.ends_with('}') ? &json_lines : &json;
  }
  return inside.front() == '{' || inside.front() == '[' ? &json : nullptr;
}

const OtherFormat* format_of_text(std::string_view bytes) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
  const std::string_view text = trim(bytes);
  if (text.empty()) return nullptr;
  for (const auto& word : {"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv, "<table"sv})
    if (starts_with_word(text, word)) return &html;
  if (starts_with_word(text, "<?xml")) return lower_case(text.substr(0, 1000)).find("<html") == std::string::npos ? &xml : &html;
  if (text.front() == '{' || text.front() == '[') return format_of_json(text);
  if (starts_with_word(text, "@relation")) return &arff;
  // The comments of an ARFF file begin with %.
  if (text.front() == '%' && lower_case(text).find("\n@relation") != std::string::npos) return &arff;
  return nullptr;
}

const OtherFormat* other_format(std::string_view bytes) {
  for (const FirstBytes& known : first_bytes_of_formats)
    if (bytes.starts_with(known.bytes)) return &known.format;
  if (bytes.starts_with("PK\x03\x04")) return &format_of_zip(bytes);
  // BZh is followed by a level and the digits of pi.
  if (bytes.starts_with("BZh") && bytes.substr(4).starts_with("1AY&SY")) return &bzip;
  return format_of_text(bytes);
}

}  // namespace

void refuse_other_format(std::string_view first_bytes, const std::string& source) {
  const OtherFormat* const found = other_format(first_bytes);
  if (found == nullptr) return;
  const std::string file = source == "standard input" ? "FILE" : source;
  throw Error(format_text("{}: this is {}; Taut reads CSV, Parquet and Arrow. To convert it: {}", source, found->name,
                          command_for(*found, file)));
}

}  // namespace taut
