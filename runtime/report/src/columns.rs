//! Results as Parquet: the records of `results.jsonl` as columns. Behind the feature `parquet`, which takes long to build.

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::Value;
use std::sync::Arc;

/// What a column holds. Nested records are text: JSON as in the lines.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Whole,
    Real,
}

/// Columns, in the order of the keys.
const COLUMNS: [(&str, Kind); 33] = [
    ("schema", Kind::Text),
    ("shader", Kind::Text),
    ("isa", Kind::Text),
    ("model", Kind::Text),
    ("lowest_tier", Kind::Text),
    ("status", Kind::Text),
    ("target", Kind::Text),
    ("reference", Kind::Text),
    ("width", Kind::Whole),
    ("height", Kind::Whole),
    ("result", Kind::Text),
    ("pixels", Kind::Whole),
    ("equal", Kind::Real),
    ("max_ulp", Kind::Real),
    ("mean_ulp", Kind::Real),
    ("median_ulp", Kind::Real),
    ("p99_ulp", Kind::Real),
    ("correct_bits", Kind::Whole),
    ("max_abs", Kind::Real),
    ("rms", Kind::Real),
    ("near_zero", Kind::Whole),
    ("special_mismatch", Kind::Whole),
    ("coverage_flips", Kind::Whole),
    ("pixels8_changed", Kind::Whole),
    ("max8", Kind::Whole),
    ("verdict", Kind::Text),
    ("same_as", Kind::Text),
    ("baseline_differ", Kind::Whole),
    ("baseline_pixels8", Kind::Whole),
    ("baseline_max8", Kind::Whole),
    ("trust", Kind::Text),
    ("argmax", Kind::Text),
    ("legality", Kind::Text),
];

/// The records in the text of a `results.jsonl` as a Parquet file. Absent figures are null.
///
/// # Errors
/// A line that is no record, or what the writer refuses.
pub fn parquet(jsonl: &str) -> Result<Vec<u8>, String> {
    let rows = jsonl.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>().map_err(|e| e.to_string())?;
    write(&rows).map_err(|e| e.to_string())
}

fn write(rows: &[Value]) -> Result<Vec<u8>, ParquetError> {
    let field = |(name, kind): (&str, Kind)| {
        let column = match kind {
            Kind::Text => {
                Type::primitive_type_builder(name, Physical::BYTE_ARRAY).with_converted_type(ConvertedType::UTF8)
            }
            Kind::Whole => Type::primitive_type_builder(name, Physical::INT64),
            Kind::Real => Type::primitive_type_builder(name, Physical::DOUBLE),
        };
        column.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = COLUMNS.into_iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("result").with_fields(fields).build()?);
    let properties = Arc::new(WriterProperties::builder().set_created_by("parallax".into()).build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties)?;
    let mut group = file.next_row_group()?;
    for (name, kind) in COLUMNS {
        let cells = rows.iter().map(|row| row.get(name).filter(|value| !value.is_null()));
        match kind {
            Kind::Text => column::<ByteArrayType>(&mut group, cells.map(|c| c.map(text)))?,
            Kind::Whole => column::<Int64Type>(&mut group, cells.map(|c| c?.as_i64()))?,
            Kind::Real => column::<DoubleType>(&mut group, cells.map(|c| c?.as_f64()))?,
        }
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn text(value: &Value) -> ByteArray {
    match value {
        Value::String(text) => ByteArray::from(text.as_str()),
        other => ByteArray::from(other.to_string().as_str()),
    }
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let (mut values, mut present) = (Vec::new(), Vec::new());
    for cell in cells {
        present.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    column.typed::<T>().write_batch(&values, Some(&present), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, RowAccessor};

    #[test]
    fn what_is_written_reads_back() {
        let lines = "{\"schema\":\"s\",\"shader\":\"a\",\"model\":\"ieee\",\"pixels\":7,\"equal\":0.5,\"trust\":{\"operations\":1}}\n\
                     {\"schema\":\"s\",\"shader\":\"b\",\"pixels\":null}\n";
        let bytes = parquet(lines).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        let at = |name: &str| COLUMNS.iter().position(|(column, _)| *column == name).unwrap();
        assert_eq!(rows[0].get_string(at("model")).unwrap(), "ieee");
        let figures = (rows[0].get_long(at("pixels")).unwrap(), rows[0].get_double(at("equal")).unwrap());
        assert_eq!(figures, (7, 0.5));
        assert_eq!(rows[0].get_string(at("trust")).unwrap(), "{\"operations\":1}");
        let nulls = rows[1].get_column_iter().filter(|(_, field)| matches!(field, Field::Null)).count();
        assert_eq!(nulls, COLUMNS.len() - 2);
        assert!(parquet("{").is_err());
    }

    #[test]
    fn columns_are_those_of_the_table() {
        let header = crate::rows::csv_header(false);
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).filter(|name| *name != "legality").collect();
        assert_eq!(header.trim_end(), names.join(","));
    }
}
