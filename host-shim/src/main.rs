//! The native host of Reveille's component: doors and machine, no rules.

mod bindings;
mod component;
mod engine;

fn main() -> wasmtime::Result<()> {
    let mut component = component::Component::load()?;
    println!("{}", component.redact("hello")?);
    Ok(())
}
