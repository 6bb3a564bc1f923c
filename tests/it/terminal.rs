//! The program on a pseudo terminal: what stands on its screen, and what a person types.
//!
//! The terminal controls the program, so that Ctrl-C reaches it as it would from a keyboard.

use std::{
    fs::File,
    io::{Read, Write},
    num::NonZero,
    os::unix::ffi::OsStringExt,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

const ROWS: u16 = 60;
/// For how long a program may write nothing.
const PATIENCE: Duration = Duration::from_secs(20);
const COLUMNS: u16 = 110;

fn size(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a screen has a size")
}

/// A running program and its terminal.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    written: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: Option<i32>,
    /// The screen, without empty lines at its end.
    pub(crate) screen: String,
    /// Everything that was written to the terminal.
    pub(crate) bytes: Vec<u8>,
}

impl Terminal {
    /// Runs `command` on a terminal of its own.
    pub(crate) fn start(command: &Command) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = std::ffi::OsString::from_vec(ptsname(&controller, Vec::new()).unwrap().into_bytes());
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device = File::from(open(&name, flags, Mode::empty()).unwrap());
        tcsetwinsize(&device, Winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        // Makes standard input the controlling terminal of a new session, then becomes the program.
        let mut started = Command::new("setsid");
        started.arg("--ctty").arg(command.get_program()).args(command.get_args()).env_clear();
        started.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            started.current_dir(folder);
        }
        let end = || Stdio::from(device.try_clone().unwrap());
        let child = started.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let keyboard = File::from(controller);
        let mut reader = keyboard.try_clone().unwrap();
        let (sender, written) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end of the program Linux says that the terminal is broken.
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            keyboard,
            written,
            screen: vt100::Parser::new(size(ROWS), size(COLUMNS), 0),
            bytes: Vec::new(),
        }
    }

    /// Reads until `text` stands on the screen.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.screen.screen().contents().contains(text) {
            assert!(self.read(), "the program ended without `{text}`: {}", self.screen.screen().contents());
        }
    }

    /// Reads until so many questions stand on the screen.
    pub(crate) fn wait_questions(&mut self, number: usize) {
        while self.screen.screen().contents().matches("[y/N]").count() < number {
            assert!(self.read(), "the program ended: {}", self.screen.screen().contents());
        }
    }

    pub(crate) fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
    }

    /// The screen as it is.
    pub(crate) fn shown(&self) -> String {
        self.screen.screen().contents().trim_end().to_owned()
    }

    /// Reads to the end of the program.
    pub(crate) fn end(mut self) -> Left {
        while self.read() {}
        let status = self.child.wait().unwrap();
        Left { code: status.code(), screen: self.shown(), bytes: self.bytes }
    }

    /// Whether there was more.
    fn read(&mut self) -> bool {
        match self.written.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.bytes.extend_from_slice(&bytes);
                true
            }
            Err(RecvTimeoutError::Disconnected) => false,
            Err(RecvTimeoutError::Timeout) => {
                self.child.kill().unwrap();
                panic!("the program waits for something: {}", self.screen.screen().contents());
            }
        }
    }
}
