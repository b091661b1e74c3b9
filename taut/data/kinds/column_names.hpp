// What the name of a column says about its numbers.
#pragma once

#include <string_view>

namespace taut {

// True for the names that the CSV reader or pandas give to columns without one.
bool has_no_name(std::string_view name);

// "customer_id", "houseID", "id", "uuid".
bool is_called_id(std::string_view name);

// True for names of single records, such as obs, CASE_NO, patnr and subject. If such a column counts the rows, it says nothing
// else. False for t, day, rank and dose, which may count the rows and still be measurements.
bool is_called_record(std::string_view name);

// True for names of ids that may repeat: school_id, schoolid, zip, state_code, plant.no.
bool is_called_key(std::string_view name);

// True for times that go on: year, t, day. A category would not know the values to come.
bool is_called_time(std::string_view name);

}  // namespace taut
