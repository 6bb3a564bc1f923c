//! Tables of comma-separated values, as far as trigger files are some.

/// The rows of a table of comma-separated values (RFC 4180) with the line on which each begins; empty ones do not
/// count.
///
/// # Errors
///
/// The line on which a quoted cell begins that does not end.
pub(super) fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, usize> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut begins, mut opened) = (1, 1, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        line += usize::from(character == '\n');
        match character {
            '"' if opened.is_some() => {
                if characters.next_if_eq(&'"').is_some() {
                    cell.push('"');
                } else {
                    opened = None;
                }
            }
            '"' if cell.is_empty() => opened = Some(line),
            ',' if opened.is_none() => row.push(std::mem::take(&mut cell)),
            '\r' if opened.is_none() && characters.peek() == Some(&'\n') => {}
            '\n' if opened.is_none() => {
                row.push(std::mem::take(&mut cell));
                rows.push((begins, std::mem::take(&mut row)));
                begins = line;
            }
            _ => cell.push(character),
        }
    }
    if let Some(line) = opened {
        return Err(line);
    }
    row.push(cell);
    rows.push((begins, row));
    rows.retain(|(_, row)| row.iter().any(|cell| !cell.trim().is_empty()));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_as_they_are_quoted() {
        let cells = |row: &[&str]| row.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>();
        let text = "a,b\r\n\n\"1, \"\"x\"\"\n2\",\n ,\nlast \"one\",3";
        let expected =
            [(1, cells(&["a", "b"])), (3, cells(&["1, \"x\"\n2", ""])), (6, cells(&["last \"one\"", "3"]))];
        assert_eq!(rows(text).unwrap(), expected);
        assert_eq!(rows("a\n\"b,c\n"), Err(2));
        assert!(rows("").unwrap().is_empty());
    }
}
