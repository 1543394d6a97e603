//! The MCP server, over standard input and output. Its tools are the component's; nothing but protocol is ever printed.

use std::process::ExitCode;
use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult, MetaObject,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServiceExt};
use serde_json::Value;

use super::look_back;
use crate::asking::{Ask, Asking};
use crate::bindings::exports::reveille::core::wake::Occasion;
use crate::error::Failure;

/// Serves until the client goes.
pub fn run() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{}", Failure::machine("runtime", error));
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(async {
        let server = Server.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
        server.waiting().await.map_err(|error| error.to_string())
    });
    // A client that left is the usual end, also in the middle of a call.
    if let Err(error) = ended {
        crate::machine::log::debug("mcp-ended", &[("why", &error)]);
    }
    runtime.shutdown_background();
    ExitCode::SUCCESS
}

#[derive(Clone, Debug)]
struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools().map_err(|failure| ErrorData::internal_error(failure.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map(|arguments| Value::Object(arguments).to_string()).unwrap_or_default();
        let name = request.name.into_owned();
        let id = context.meta.get("claudecode/toolUseId").and_then(Value::as_str).map(str::to_owned);
        let answered = tokio::task::spawn_blocking(move || call(&name, &arguments, id.as_deref())).await;
        let result = match answered {
            Ok(Ok(Some(result))) => result,
            Ok(Ok(None)) => return Err(ErrorData::invalid_params("unknown tool", None)),
            Ok(Err(failure)) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        Ok(result.into())
    }
}

fn tools() -> Result<Vec<Tool>, Failure> {
    let mut asking = Asking::begin()?;
    let tools = asking.component().call(|world, store| world.reveille_core_doors().call_tools(store))?;
    Ok(tools
        .into_iter()
        .map(|tool| {
            let mut listed = Tool::new(tool.name, tool.description, object(&tool.input_schema))
                .with_title(tool.title)
                .with_annotations(ToolAnnotations::new().read_only(true));
            if let Some(schema) = &tool.output_schema {
                listed = listed.with_raw_output_schema(object(schema));
            }
            // In the model's list from the first turn, rather than behind a search.
            let mut meta = MetaObject::default();
            meta.0.insert("anthropic/alwaysLoad".to_owned(), Value::Bool(true));
            listed.meta = Some(meta);
            listed
        })
        .collect())
}

fn object(json: &str) -> Arc<JsonObject> {
    Arc::new(serde_json::from_str(json).unwrap_or_default())
}

/// Answers a call; none for a tool that is not listed. `id` is the call's own, where the client says it.
fn call(name: &str, arguments: &str, id: Option<&str>) -> Result<Option<CallToolResult>, Failure> {
    let mut asking = Asking::begin()?;
    match name {
        "session_wake" => wake(&mut asking, arguments).map(Some),
        "look_back" => {
            let session = asking.callers().into_iter().next();
            let ask = look_back::Ask {
                agent: look_back::agent_of_call(session.as_deref(), id),
                session,
                arguments: arguments.to_owned(),
                workspace: std::env::var("CLAUDE_PROJECT_DIR").ok(),
            };
            let answer = look_back::answer(asking.component(), &ask)?;
            let text = vec![ContentBlock::text(answer.text())];
            Ok(Some(if answer.is_error() { CallToolResult::error(text) } else { CallToolResult::success(text) }))
        }
        _ => Ok(None),
    }
}

fn wake(asking: &mut Asking, arguments: &str) -> Result<CallToolResult, Failure> {
    let call = asking.component().call(|world, store| world.reveille_core_doors().call_read_wake_call(store, arguments))?;
    let call = match call {
        Ok(call) => call,
        Err(error) => {
            let words = asking.component().call(|world, store| world.reveille_core_wake().call_explain(store, &error))?;
            return Err(Failure::Refused { words, not_found: false });
        }
    };
    let ask = Ask {
        occasion: Occasion::Asked,
        workspace: call.workspace.or_else(|| std::env::var("CLAUDE_PROJECT_DIR").ok()),
        repository: call.repository,
        session: call.session,
        raw: call.raw,
        callers: asking.callers(),
        transcript: None,
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(asking.wake(&ask)?.markdown)]))
}
