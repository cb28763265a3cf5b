//! Comma-separated values with quoted fields (RFC 4180), as far as MAPF tracker needs them.

use crate::FormatError;

/// One field and the line that it starts on.
#[derive(Clone, Debug)]
pub(crate) struct CsvField {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// The records of a file; blank lines are passed over.
pub(crate) fn read(text: &str) -> Result<Vec<Vec<CsvField>>, FormatError> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let (field, after) = field(rest, line)?;
        line += field.text.matches('\n').count();
        record.push(field);
        // A field ends before a comma, a line break or the end.
        let (ends_record, next) = match after.strip_prefix(',') {
            Some(next) if !next.is_empty() => (false, next),
            Some(_) => {
                record.push(CsvField { line, text: String::new() });
                (true, "")
            }
            None => (true, after.strip_prefix("\r\n").or(after.strip_prefix('\n')).unwrap_or("")),
        };
        rest = next;
        if ends_record {
            line += 1;
            let record = std::mem::take(&mut record);
            records.extend((!is_blank(&record)).then_some(record));
        }
    }
    Ok(records)
}

fn is_blank(record: &[CsvField]) -> bool {
    record.len() == 1 && record[0].text.trim().is_empty()
}

/// The next field and what follows it.
fn field(text: &str, line: usize) -> Result<(CsvField, &str), FormatError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        // The carriage return of a CRLF belongs to the line break.
        let end = if text[end..].starts_with('\n') && text[..end].ends_with('\r') {
            end - 1
        } else {
            end
        };
        let field = CsvField { line, text: text[..end].to_owned() };
        return Ok((field, &text[end..]));
    };
    let mut content = String::new();
    let mut rest = quoted;
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            let error = FormatError::new("a quoted field has no end", "close it with '\"'");
            return Err(error.at_line(line));
        };
        content.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => {
                content.push('"');
                rest = next;
            }
            None if after.is_empty()
                || after.starts_with([',', '\n'])
                || after.starts_with("\r\n") =>
            {
                return Ok((CsvField { line, text: content }, after));
            }
            None => {
                let error =
                    FormatError::new("text after a quoted field", "write '\"\"' for a quote");
                return Err(error.at_line(line + content.matches('\n').count()));
            }
        }
    }
}

/// A field, in quotes if it needs them.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
