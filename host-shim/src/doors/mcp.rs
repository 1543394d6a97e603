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
use super::tools::{self, Answered, Caller};
use crate::asking::Asking;
use crate::bindings::exports::reveille::core::doors::ToolKind;
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
        let tools = listed().map_err(|failure| ErrorData::internal_error(failure.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map(|arguments| Value::Object(arguments).to_string()).unwrap_or_default();
        let name = request.name.into_owned();
        let id = context.meta.0.get("claudecode/toolUseId").and_then(Value::as_str).map(str::to_owned);
        let answered = tokio::task::spawn_blocking(move || {
            let mut asking = Asking::begin()?;
            let sessions = asking.callers();
            let agent = look_back::agent_of_call(sessions.first().map(String::as_str), id.as_deref());
            let caller = Caller { sessions, agent, workspace: std::env::var("CLAUDE_PROJECT_DIR").ok(), transcript: None };
            tools::answer(&mut asking, &name, &arguments, id.as_deref(), caller)
        })
        .await;
        let result = match answered {
            Ok(Ok(Some(Answered { text, error: false, .. }))) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Ok(Ok(Some(Answered { text, error: true, .. }))) => CallToolResult::error(vec![ContentBlock::text(text)]),
            Ok(Ok(None)) => return Err(ErrorData::invalid_params("unknown tool", None)),
            Ok(Err(failure)) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        Ok(result.into())
    }
}

fn listed() -> Result<Vec<Tool>, Failure> {
    let mut asking = Asking::begin()?;
    let tools = asking.component().call(|world, store| world.reveille_core_doors().call_tools(store))?;
    Ok(tools
        .into_iter()
        .map(|tool| {
            let mut listed = Tool::new(tool.name, tool.description, object(&tool.input_schema))
                .with_title(tool.title)
                .with_annotations(ToolAnnotations::new().read_only(tool.kind != ToolKind::Handoff));
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
