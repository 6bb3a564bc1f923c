//! Several requests at once, never more than a bound.
//!
//! The first failure ends the others before it is reported, so that none of them still writes when the
//! caller cleans up.

use std::convert::Infallible;

use tokio::task::JoinSet;

/// Runs `tasks`, at most `bound` at once; the results come in the order of the tasks. `done` sees each as
/// it comes.
///
/// # Errors
///
/// That of the task that failed first.
pub async fn run<T: Send + 'static, E: Send + 'static>(
    bound: usize,
    tasks: impl Iterator<Item = impl Future<Output = Result<T, E>> + Send + 'static>,
    mut done: impl FnMut(&T),
) -> Result<Vec<T>, E> {
    let mut tasks = tasks.enumerate();
    let mut running = JoinSet::new();
    let mut results: Vec<(usize, T)> = Vec::new();
    loop {
        while running.len() < bound.max(1) {
            let Some((index, task)) = tasks.next() else { break };
            running.spawn(async move { (index, task.await) });
        }
        match running.join_next().await {
            None => break,
            Some(Ok((index, Ok(result)))) => {
                done(&result);
                results.push((index, result));
            }
            Some(Ok((_, Err(error)))) => {
                running.shutdown().await;
                return Err(error);
            }
            // Nothing here cancels a task that is still waited for.
            Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
        }
    }
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Runs `tasks` to the end of each, at most `bound` at once; the results come in the order of the tasks.
pub async fn all<T: Send + 'static>(
    bound: usize,
    tasks: impl Iterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let tasks = tasks.map(|task| async { Ok::<T, Infallible>(task.await) });
    let Ok(results) = run(bound, tasks, |_| {}).await;
    results
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn results_keep_their_order_and_the_bound_holds() {
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let tasks = (0..20).map(|index| {
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                for _ in 0..(20 - index) {
                    tokio::task::yield_now().await;
                }
                now.fetch_sub(1, Ordering::SeqCst);
                Ok::<usize, ()>(index)
            }
        });
        let mut seen = 0;
        let results = block_on(run(3, tasks, |_| seen += 1)).unwrap();
        assert_eq!(results, (0..20).collect::<Vec<_>>());
        assert_eq!(seen, 20);
        assert_eq!(most.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn the_first_failure_ends_all() {
        struct Alive(Arc<AtomicUsize>);
        impl Drop for Alive {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        let alive = Arc::new(AtomicUsize::new(0));
        let tasks = (0..4).map(|index| {
            alive.fetch_add(1, Ordering::SeqCst);
            let guard = Alive(Arc::clone(&alive));
            async move {
                if index == 2 {
                    return Err("refused");
                }
                std::future::pending::<()>().await;
                drop(guard);
                Ok(())
            }
        });
        assert_eq!(block_on(run(4, tasks, |()| {})), Err("refused"));
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_result_of_its_own_ends_nothing() {
        let answers =
            block_on(all(2, ["a", "", "b"].map(|text| async move { text.chars().next() }).into_iter()));
        assert_eq!(answers, [Some('a'), None, Some('b')]);
    }
}
