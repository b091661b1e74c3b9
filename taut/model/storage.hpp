// Pieces of a model file that models of every kind have; inside the library only.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/model/model.hpp>

namespace taut {

// What the entry `kind` of a file says where it holds labels; files with intervals have no such entry.
inline constexpr std::string_view kind_of_classes = "classes";

// Where a model of numbers was expected and the file holds one of labels.
class HoldsClasses : public Error {
 public:
  using Error::Error;
};

void put_schema(const Archive& archive, const std::vector<Column>& schema);
std::vector<Column> get_schema(const Archive& archive);
void put_record(const Archive& archive, const FitRecord& record);
FitRecord get_record(const Archive& archive);

}  // namespace taut
